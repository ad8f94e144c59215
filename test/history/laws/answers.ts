import type { History, Operation, Violation } from '../history.ts';
import { outcomeOf } from '../history.ts';

/** Statuses that a refusal may have, beside 403 and 404 where roles change. */
const REFUSALS: Partial<Record<Operation['name'], number[]>> = {
  // A page that another writer has removed or changed; a version or a base that is outdated.
  edit: [400, 404, 409, 412],
  editChangeRequest: [400, 404, 409],
  // Conflicts that others have changed meanwhile.
  resolve: [400, 409],
  // A deleted one.
  readComment: [404],
  // A removed one.
  readPage: [404],
  useToken: [401],
};

/**
 * Answers are those that the operation may have, never an internal error or one that cannot be read, and every command
 * is settled in the end.
 */
export function checkAnswers({ operations, guests }: History): Violation[] {
  const isGuest = new Set(guests.map(({ caller }) => caller));
  return operations.flatMap((operation) => {
    const allowed = [...(REFUSALS[operation.name] ?? []), ...(isGuest.has(operation.caller) ? [403, 404] : [])];
    const odd = operation.attempts.filter(
      ({ outcome, status, hasRun }) => (outcome === 'refused' || hasRun) && !allowed.includes(status),
    );
    const violations: Violation[] = odd.map(({ status, text }) => ({
      law: 'answers',
      message: `${operation.name} of ${operation.caller} was answered with ${status}${text ? `: ${text}` : ''}.`,
      operations: [operation.id],
    }));
    const unreadable = operation.attempts.flatMap((attempt) => attempt.unreadable ?? []);
    for (const answer of unreadable) {
      violations.push({
        law: 'answers',
        message: `${operation.name} of ${operation.caller} was answered with what cannot be read: ${answer}`,
        operations: [operation.id],
      });
    }
    const hasRun = operation.attempts.some((attempt) => attempt.hasRun);
    if (operation.key !== undefined && outcomeOf(operation) === 'unknown' && unreadable.length === 0 && !hasRun) {
      violations.push({
        law: 'answers',
        message: `${operation.name} of ${operation.caller} never got an answer.`,
        operations: [operation.id],
      });
    }
    return violations;
  });
}
