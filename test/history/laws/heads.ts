import type { History, Operation, Violation } from '../history.ts';
import { beginOf, endOf, outcomeOf, outputOf } from '../history.ts';
import { type Chain, chainOf, movesHead } from './chain.ts';

/**
 * The heads of each space are linearizable: they form one line in which each revision is based on the one before, every
 * acknowledged edit is one of them, and every operation saw or made a head that is not older than what was certain
 * before it began.
 */
export function checkHeads(history: History): Violation[] {
  return [history.spaceId, history.guardedSpaceId].flatMap((spaceId) => {
    const chain = chainOf(history, spaceId);
    return [
      ...checkLine(history, spaceId),
      ...checkMakers(chain),
      ...checkOrder(history, spaceId, chain),
      ...checkExpected(history, spaceId, chain),
    ];
  });
}

const violation = (message: string, ...operations: (Operation | undefined)[]): Violation => ({
  law: 'heads',
  message,
  operations: operations.flatMap((operation) => operation?.id ?? []),
});

/** No revision has two successors, and none lacks the one that it is based on. */
function checkLine(history: History, spaceId: string): Violation[] {
  const found: Violation[] = [];
  const newestFirst = history.final.revisions[spaceId] ?? [];
  for (const [index, { id, parentId }] of newestFirst.entries()) {
    const before = newestFirst[index + 1]?.id;
    if (parentId !== before) found.push(violation(`Revision ${id} follows ${before}, but is based on ${parentId}.`));
  }
  const successors = new Map<string, string>();
  for (const { kind, spaceId: of, ids } of history.final.events) {
    const { previousRevisionId = '', revisionId = '' } = ids;
    if (kind !== 'space_content_updated' || of !== spaceId) continue;
    const other = successors.get(previousRevisionId);
    if (other !== undefined && other !== revisionId) {
      found.push(violation(`Two edits replaced revision ${previousRevisionId}: ${other} and ${revisionId}.`));
    }
    successors.set(previousRevisionId, revisionId);
  }
  return found;
}

/** Each acknowledged edit made one revision, and each revision was made by an edit. */
function checkMakers(chain: Chain): Violation[] {
  const found: Violation[] = chain.claimedTwice.map(([first, second]) =>
    violation('Two edits were acknowledged with the same revision.', first, second),
  );
  for (const [revisionId, maker] of chain.makerOf) {
    if (!chain.positionOf.has(revisionId)) {
      found.push(violation(`The acknowledged revision ${revisionId} is no head of the space.`, maker));
    }
  }
  const { unexplained, uncertain } = chain;
  if (unexplained.length > uncertain.length) {
    found.push(violation(`Nobody made the revisions ${unexplained.join(', ')}.`, ...uncertain));
  }
  return found;
}

/** In the order of time, nobody sees or makes an older head than what was certain before. */
function checkOrder(history: History, spaceId: string, { positionOf, makerOf }: Chain): Violation[] {
  const seen = history.operations.flatMap((operation) => {
    const output = outputOf(operation);
    const revisionId = output?.revisionId;
    if (operation.input.spaceId !== spaceId || revisionId === undefined) return [];
    const isRead = operation.name === 'readHead' || operation.name === 'readSpace';
    const isSnapshot = operation.name === 'readPage' && operation.transport === 'graph';
    const isWrite = movesHead(operation, output);
    const position = positionOf.get(revisionId);
    if (position === undefined || !(isRead || isSnapshot || isWrite)) return [];
    const makes = makerOf.get(revisionId) === operation;
    return [{ operation, position, makes, from: beginOf(operation), to: endOf(operation) }];
  });
  const byEnd = seen.toSorted((a, b) => a.to - b.to).values();
  let next = byEnd.next().value;
  let latest: (typeof seen)[number] | undefined;
  const found: Violation[] = [];
  for (const each of seen.toSorted((a, b) => a.from - b.from)) {
    for (; next && next.to < each.from; next = byEnd.next().value) {
      if (!latest || next.position > latest.position) latest = next;
    }
    if (!latest) continue;
    // What makes a revision comes after all that saw or made one before it began.
    if (each.position < latest.position || (each.makes && each.position === latest.position)) {
      found.push(
        violation(
          `${each.operation.name} has head ${each.position}, although head ${latest.position} was there before it began.`,
          latest.operation,
          each.operation,
        ),
      );
    }
  }
  return found;
}

/** An edit that expects a version replaces the head that this version was read with. */
function checkExpected(history: History, spaceId: string, { ids, positionOf }: Chain): Violation[] {
  const found: Violation[] = [];
  const byVersion = new Map<string, Operation>();
  for (const operation of history.operations) {
    const { expected } = operation.input;
    if (!expected || operation.input.spaceId !== spaceId || outcomeOf(operation) !== 'done') continue;
    const version = `${operation.transport} ${expected.version}`;
    const other = byVersion.get(version);
    if (other) found.push(violation('Two edits that expected the same version were acknowledged.', other, operation));
    byVersion.set(version, operation);
    const position = positionOf.get(outputOf(operation)?.revisionId ?? '');
    if (position !== undefined && ids[position - 1] !== expected.revisionId) {
      found.push(violation(`An edit that expected ${expected.revisionId} replaced ${ids[position - 1]}.`, operation));
    }
  }
  return found;
}
