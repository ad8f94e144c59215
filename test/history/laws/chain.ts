import type { History, Operation, Output } from '../history.ts';
import { outcomeOf, outputOf } from '../history.ts';

/** The line of heads of a space, as the service shows it in the end. */
export interface Chain {
  /** Revisions from the oldest to the newest. */
  ids: string[];
  positionOf: Map<string, number>;
  /** The acknowledged operation that made a revision. */
  makerOf: Map<string, Operation>;
  /** Operations with the same revision as another that has made it. */
  claimedTwice: [Operation, Operation][];
}

/** Whether an operation moves the head of a space, if it is done. */
export const movesHead = ({ name }: Operation, output: Output | undefined): boolean =>
  name === 'edit' || (name === 'merge' && output?.result === 'merge');

export function chainOf(history: History, spaceId: string): Chain {
  const ids = (history.final.revisions[spaceId] ?? []).map(({ id }) => id).toReversed();
  const makerOf = new Map<string, Operation>();
  const claimedTwice: [Operation, Operation][] = [];
  const done = history.operations.filter(
    (operation) =>
      operation.input.spaceId === spaceId &&
      outcomeOf(operation) === 'done' &&
      movesHead(operation, outputOf(operation)),
  );
  // Moves to where a page is already change nothing, and are answered with the head: others are its makers.
  const mayChangeNothing = ({ input }: Operation) => input.edit === 'move';
  for (const operation of done.toSorted((a, b) => Number(mayChangeNothing(a)) - Number(mayChangeNothing(b)))) {
    const revisionId = outputOf(operation)?.revisionId ?? '';
    const maker = makerOf.get(revisionId);
    if (!maker) {
      if (!mayChangeNothing(operation) || revisionId !== history.begin.revisionId) makerOf.set(revisionId, operation);
    } else if (!mayChangeNothing(operation)) claimedTwice.push([maker, operation]);
  }
  return { ids, positionOf: new Map(ids.map((id, index) => [id, index])), makerOf, claimedTwice };
}
