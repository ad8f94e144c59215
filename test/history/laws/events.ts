import type { History, LoggedEvent, Operation, Violation } from '../history.ts';
import { beginOf, endOf, mayHaveHappened, outcomeOf, outputOf } from '../history.ts';
import { chainOf } from './chain.ts';

/**
 * The log is complete and in order: each acknowledged command has its events once, each event has a command, and what
 * was acknowledged before another command began stands before its events.
 */
export function checkEvents(history: History): Violation[] {
  const expected = expectedEvents(history);
  return [...checkComplete(history, expected), ...checkRoles(history), ...checkOrder(history, expected)];
}

/** An event of an operation, recognized by its kind and ids. */
interface Expected {
  name: string;
  operation: Operation;
}

/** What identifies an event whose command is followed. Undefined for all others. */
function nameOf({ kind, ids }: LoggedEvent): string | undefined {
  switch (kind) {
    case 'space_content_updated':
    case 'change_request_content_updated':
      return `${kind} ${ids.revisionId}`;
    case 'change_request_created':
    case 'change_request_merged':
      return `${kind} ${ids.changeRequestId}`;
    case 'comment_posted':
    case 'comment_deleted':
      return `${kind} ${ids.commentId}`;
    default:
      return undefined;
  }
}

function expectedEvents(history: History): Expected[] {
  const makers = [history.spaceId, history.guardedSpaceId].flatMap((id) => [...chainOf(history, id).makerOf]);
  const expected: Expected[] = makers.map(([id, operation]) => ({ name: `space_content_updated ${id}`, operation }));
  const isMerged = new Set<string>();
  for (const operation of history.operations) {
    const output = outputOf(operation);
    if (!output || outcomeOf(operation) !== 'done') continue;
    const add = (name: string) => expected.push({ name, operation });
    const { changeRequestId } = operation.input;
    if (operation.name === 'createChangeRequest') add(`change_request_created ${output.changeRequestId}`);
    if (operation.name === 'editChangeRequest') add(`change_request_content_updated ${output.revisionId}`);
    if (operation.name === 'postComment') add(`comment_posted ${output.commentId}`);
    if (operation.name === 'deleteComment') add(`comment_deleted ${operation.input.commentId}`);
    // Merging a merged change request again changes nothing.
    if (operation.name === 'merge' && output.result === 'merge' && changeRequestId && !isMerged.has(changeRequestId)) {
      isMerged.add(changeRequestId);
      add(`change_request_merged ${changeRequestId}`);
    }
  }
  return expected;
}

function checkComplete(history: History, expected: readonly Expected[]): Violation[] {
  const found: Violation[] = [];
  const counts = new Map<string, number>();
  for (const event of history.final.events) {
    const name = nameOf(event);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const { name, operation } of expected) {
    const count = counts.get(name) ?? 0;
    if (count !== 1) {
      found.push({
        law: 'events',
        message: `The event "${name}" was recorded ${count} times.`,
        operations: [operation.id],
      });
    }
  }
  const ids = new Set(history.final.events.map(({ id }) => id));
  if (ids.size < history.final.events.length) {
    found.push({ law: 'events', message: 'The log shows an event twice.', operations: [] });
  }
  return [...found, ...checkUnexplained(history, expected, counts), ...checkUpdates(history)];
}

/** Events of nobody: at most as many as commands whose outcome nobody learned may have recorded. */
function checkUnexplained(
  history: History,
  expected: readonly Expected[],
  counts: ReadonlyMap<string, number>,
): Violation[] {
  const explained = new Set(expected.map(({ name }) => name));
  const begun = new Set(
    [history.spaceId, history.guardedSpaceId].flatMap((id) =>
      (history.final.revisions[id] ?? []).slice(-2).map((revision) => `space_content_updated ${revision.id}`),
    ),
  );
  const unexplained = [...counts.keys()].filter(
    // Resolutions that change nothing but the base have no output to recognize them by.
    (name) => !explained.has(name) && !begun.has(name) && !name.startsWith('change_request_content_updated'),
  );
  const uncertain = history.operations.filter(mayHaveHappened);
  // A merge is recorded with the revision that it makes.
  const possible = uncertain.reduce((sum, { name }) => sum + (name === 'merge' ? 2 : 1), 0);
  if (unexplained.length <= possible) return [];
  return [
    {
      law: 'events',
      message: `No command explains the events ${unexplained.join(', ')}.`,
      operations: uncertain.map(({ id }) => id),
    },
  ];
}

/** Each acknowledged change of a comment is an event. */
function checkUpdates({ operations, final }: History): Violation[] {
  const counts = new Map<string, number>();
  for (const { kind, ids } of final.events) {
    const id = kind === 'comment_updated' ? ids.commentId : undefined;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const updates = operations.filter(({ name }) => name === 'updateComment');
  const byComment = Map.groupBy(updates, ({ input }) => input.commentId ?? '');
  return [...byComment].flatMap(([id, all]) => {
    const done = all.filter((operation) => outcomeOf(operation) === 'done').length;
    const uncertain = all.filter(mayHaveHappened).length;
    const count = counts.get(id) ?? 0;
    if (count >= done && count <= done + uncertain) return [];
    return [
      {
        law: 'events' as const,
        message: `Comment ${id} was updated ${done} times, and has ${count} events of it.`,
        operations: all.map((operation) => operation.id),
      },
    ];
  });
}

/** Each acknowledged change of a role is an event. Roles are set by one caller, each to another than before. */
function checkRoles({ guests, operations, final }: History): Violation[] {
  return guests.flatMap(({ userId, by }) => {
    const changes = operations.filter(({ name, input }) => name === by && input.userId === userId);
    if (changes.some((operation) => outcomeOf(operation) !== 'done')) return [];
    const kindOf = ({ input }: Operation) => {
      if (by === 'setMember') return 'member_updated';
      return input.role === null ? 'permission_revoked' : 'permission_granted';
    };
    const expected = changes.map(kindOf);
    const kinds = new Set(['member_updated', 'permission_revoked', 'permission_granted']);
    const recorded = final.events.filter(({ kind, ids }) => kinds.has(kind) && ids.userId === userId);
    if (recorded.map(({ kind }) => kind).join() === expected.join()) return [];
    return [
      {
        law: 'events' as const,
        message: `The roles of ${userId} were set ${expected.length} times, and ${recorded.length} events tell of it, or not in their order.`,
        operations: changes.map(({ id }) => id),
      },
    ];
  });
}

function checkOrder({ final }: History, expected: readonly Expected[]): Violation[] {
  const operationOf = new Map(expected.map(({ name, operation }) => [name, operation]));
  const logged = final.events.flatMap((event) => operationOf.get(nameOf(event) ?? '') ?? []);
  let earliest: Operation | undefined;
  const found: Violation[] = [];
  for (const operation of logged.toReversed()) {
    if (earliest && endOf(earliest) < beginOf(operation)) {
      found.push({
        law: 'events',
        message: `The event of a command stands before that of one that was done before it began.`,
        operations: [operation.id, earliest.id],
      });
    }
    if (!earliest || endOf(operation) < endOf(earliest)) earliest = operation;
  }
  return found;
}
