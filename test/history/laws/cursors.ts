import type { History, Violation } from '../history.ts';

/** Readers of the log receive every event once and in its order, however often they break off and go on. */
export function checkCursors({ followed, final }: History): Violation[] {
  const [, ...expected] = final.events.map(({ id }) => id);
  return followed.flatMap(({ name, received }) => {
    const index = expected.findIndex((id, at) => received[at] !== id);
    if (index === -1 && received.length === expected.length) return [];
    const what = describe(expected, received, index === -1 ? expected.length : index);
    return [{ law: 'cursors' as const, message: `The reader "${name}" ${what}`, operations: [] }];
  });
}

function describe(expected: readonly string[], received: readonly string[], index: number): string {
  const id = received[index];
  if (id === undefined) return `received ${received.length} of ${expected.length} events.`;
  if (received.slice(0, index).includes(id)) return `received event ${index}, ${id}, again.`;
  if (expected.includes(id)) return `received ${id} as event ${index}, and not ${expected[index]}.`;
  return `received ${id} as event ${index}, which the log does not have.`;
}
