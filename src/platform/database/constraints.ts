import { conflict, Refusal } from '../errors.ts';

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);
const UNTRANSLATABLE_TEXT = new Set(['22021', '22P05']);

const refusals = new Map<string, () => Refusal>();

/**
 * What a violated unique constraint means to a caller. Declared by the room that owns the table, so that two requests
 * that pass the same check at the same moment still get the answer the second one would have got.
 */
export function constraintMeans(name: string, refusal: () => Refusal): void {
  refusals.set(name, refusal);
}

/** Something that a command had read, without locking it, has changed: the command runs again, as after a deadlock. */
export class MovedMeanwhile extends Error {
  readonly code = '40001';
}

/** A deadlock or serialization failure: nothing was written, and running again may succeed. */
export const isTransient = (error: unknown) =>
  error instanceof Error && 'code' in error && SERIALIZATION_FAILURES.has(String(error.code));

/** The refusal that a database error stands for, or undefined when it is a bug. */
export function refusalOfConstraint(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (SERIALIZATION_FAILURES.has(error.code)) {
    return conflict('Another request changed the same thing at the same moment; send this one again.');
  }
  if (UNTRANSLATABLE_TEXT.has(error.code)) {
    return new Refusal(
      'BAD_USER_INPUT',
      'The input holds a character that text cannot store (NUL or a lone surrogate).',
    );
  }
  if (error.code !== UNIQUE_VIOLATION || !('constraint' in error)) return undefined;
  return refusals.get(String(error.constraint))?.();
}
