import type { History, Operation, Output } from '../history.ts';
import { mayHaveHappened, outcomeOf, outputOf } from '../history.ts';

/** The line of heads of a space, as the service shows it in the end. */
export interface Chain {
  /** Revisions from the oldest to the newest. */
  ids: string[];
  positionOf: Map<string, number>;
  /** The acknowledged operation that made a revision. */
  makerOf: Map<string, Operation>;
  /** Operations with the same revision as another that has made it. */
  claimedTwice: [Operation, Operation][];
  /** Revisions after the first one of callers that no acknowledged operation made. */
  unexplained: string[];
  /** Operations that may have made them. */
  uncertain: Operation[];
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
  const positionOf = new Map(ids.map((id, index) => [id, index]));
  const begin = spaceId === history.spaceId ? history.begin.revisionId : ids[1];
  const unexplained = ids.slice((positionOf.get(begin ?? '') ?? -1) + 1).filter((id) => !makerOf.has(id));
  const uncertain = history.operations.filter(
    (operation) =>
      operation.input.spaceId === spaceId &&
      (operation.name === 'edit' || operation.name === 'merge') &&
      mayHaveHappened(operation),
  );
  return { ids, positionOf, makerOf, claimedTwice, unexplained, uncertain };
}
