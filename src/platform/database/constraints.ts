import { ApiError, conflict } from '../errors.ts';

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);
const UNTRANSLATABLE_TEXT = new Set(['22021', '22P05']);

const apiErrors = new Map<string, () => ApiError>();

/**
 * What a violated unique constraint means to a caller. Declared by the room that owns the table, so that two requests
 * that pass the same check at the same moment still get the answer the second one would have got.
 */
export function constraintMeans(name: string, apiError: () => ApiError): void {
  apiErrors.set(name, apiError);
}

/** A prepared statement whose table has got another shape: it must be planned anew (PostgreSQL, "Prepare"). */
export const isStalePlan = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan');

const IN_FAILED_TRANSACTION = '25P02';

/** A deadlock, a serialization failure or a stale plan: nothing was written, and running again may succeed. */
export const isTransient = (error: unknown) =>
  isStalePlan(error) ||
  (error instanceof Error &&
    'code' in error &&
    (SERIALIZATION_FAILURES.has(String(error.code)) || error.code === IN_FAILED_TRANSACTION));

/** Half of a surrogate pair, or NUL, inside a JSON value. */
const isNoJson = (error: Error) => /invalid input syntax for type json|unsupported Unicode escape/.test(error.message);

/** The apiError that a database error stands for, or undefined when it is a bug. */
export function apiErrorOfConstraint(error: unknown): ApiError | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (SERIALIZATION_FAILURES.has(error.code)) {
    return conflict('Another request changed the same resource at the same time. Try again.');
  }
  if (UNTRANSLATABLE_TEXT.has(error.code) || isNoJson(error)) {
    return new ApiError(
      'BAD_USER_INPUT',
      'The input contains a character that cannot be stored (NUL or an unpaired surrogate).',
    );
  }
  if (error.code !== UNIQUE_VIOLATION || !('constraint' in error)) return undefined;
  return apiErrors.get(String(error.constraint))?.();
}
