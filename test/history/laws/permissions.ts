import type { History, Operation, SpaceRole, Violation } from '../history.ts';
import { beginOf, endOf, outcomeOf, outputOf } from '../history.ts';
import { type Misfit, misfits, type Use } from './register.ts';

const LADDER: SpaceRole[] = [null, 'read', 'comment', 'edit', 'review'];
const rankOf = (role: SpaceRole) => LADDER.indexOf(role);

/** How long other processes than the one that revoked it may accept a token, as documented. */
const TOKEN_REVOCATION_MS = 5_000;
/** What a request may take to arrive, after which the documented time begins. */
const SLACK_MS = 500;

/**
 * Permissions are never wider than what was set, and never narrower: whoever has a role at the time may do what it
 * allows, and nobody may do what none of the roles of the time allows.
 */
export function checkPermissions(history: History): Violation[] {
  return [...history.guests.flatMap((guest) => checkGuest(history, guest)), ...checkTokens(history)];
}

function neededFor({ name }: Operation): SpaceRole {
  if (name === 'readSpace') return 'read';
  return name === 'postComment' ? 'comment' : 'edit';
}

/** The answers to callers without the role: the space is hidden from those who may not even read it. */
const isDenied = (operation: Operation): boolean => {
  const { status } = operation.attempts.at(-1) ?? { status: 0 };
  if (status === 403 || status === 404) return true;
  return operation.name === 'readSpace' && outcomeOf(operation) === 'done' && !outputOf(operation)?.revisionId;
};

function checkGuest({ operations }: History, { userId, caller, by }: History['guests'][number]): Violation[] {
  const changes = operations
    .filter(({ name, input }) => name === by && input.userId === userId)
    .filter((operation) => outcomeOf(operation) !== 'refused')
    .map((operation) => ({
      value: operation.input.role ?? null,
      from: beginOf(operation),
      to: endOf(operation),
      operation: operation.id,
    }));
  const uses = operations.flatMap((operation): Use<SpaceRole>[] => {
    if (operation.caller !== caller) return [];
    const needed = rankOf(neededFor(operation));
    const last = operation.attempts.at(-1);
    if (isDenied(operation) && last) {
      // The last request decides: an earlier one without an answer may have been allowed.
      return [{ from: last.from, to: last.to, fits: (role) => rankOf(role) < needed, operation: operation.id }];
    }
    if (outcomeOf(operation) !== 'done') return [];
    const fits = (role: SpaceRole) => rankOf(role) >= needed;
    return [{ from: beginOf(operation), to: endOf(operation), fits, operation: operation.id }];
  });
  return misfits<SpaceRole>(null, changes, uses).map((misfit) => ({
    law: 'permissions',
    message: describe(misfit, operations),
    operations: [misfit.use.operation],
  }));
}

function describe({ use, values }: Misfit<SpaceRole>, operations: readonly Operation[]): string {
  const operation = operations.find(({ id }) => id === use.operation);
  const roles = values.map((role) => role ?? 'no role').join(', ');
  const answer = operation && isDenied(operation) ? 'was denied' : 'was allowed';
  return `${operation?.name} of ${operation?.caller} ${answer}, with ${roles}.`;
}

function checkTokens({ operations }: History): Violation[] {
  const found: Violation[] = [];
  for (const use of operations.filter(({ name }) => name === 'useToken')) {
    const [attempt] = use.attempts;
    if (!attempt || outcomeOf(use) === 'unknown') continue;
    const isAllowed = outcomeOf(use) === 'done';
    const revocation = operations.find(
      ({ name, input }) => name === 'revokeToken' && input.tokenId === use.input.tokenId,
    );
    const note = (message: string) =>
      found.push({ law: 'permissions', message, operations: [use.id, ...(revocation ? [revocation.id] : [])] });
    if (!revocation || attempt.to < beginOf(revocation)) {
      if (!isAllowed) note('A valid token was refused.');
    } else if (isAllowed && outcomeOf(revocation) === 'done') {
      const end = endOf(revocation);
      if (attempt.from > end + TOKEN_REVOCATION_MS + SLACK_MS) {
        note('A token was accepted more than five seconds after its revocation.');
      }
      // Without a repetition, the process that answered has revoked it.
      const [only, ...others] = revocation.attempts;
      if (others.length === 0 && only?.server === attempt.server && attempt.from > end) {
        note('The process that had revoked a token accepted it.');
      }
    }
  }
  return found;
}
