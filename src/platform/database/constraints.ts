import { OptimisticLockError } from '@mikro-orm/core';
import { ApiError, conflict } from '../errors/errors.ts';
import { isReported, sqlStateOf } from './sqlstates.ts';

const UNIQUE_VIOLATION = '23505';
const UNTRANSLATABLE_TEXT = new Set(['22021', '22P05']);

/** A text that is no time, a time that is out of range, and an offset that is. */
const UNREADABLE_TIME = new Set(['22007', '22008', '22009']);

const apiErrors = new Map<string, () => ApiError>();

/**
 * Registers the API error of a unique constraint. Needed for concurrent requests that both pass the check for a
 * conflict: the second one gets the same error as if the requests were sequential.
 */
export function constraintMeans(name: string, apiError: () => ApiError): void {
  apiErrors.set(name, apiError);
}

const NO_SUCH_STATEMENT = '26000';

/**
 * A prepared statement has to be planned again, since the table has changed (PostgreSQL, "Prepare") or since it is
 * gone. Messages are in the language of the server, so that only the routine tells what is not supported.
 */
export const isStalePlan = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === NO_SUCH_STATEMENT ||
    (error.code === '0A000' && 'routine' in error && error.routine === 'RevalidateCachedQuery'));

const IN_FAILED_TRANSACTION = '25P02';

/** The error of a transaction that PostgreSQL rolled back instead of committing it. */
export const rolledBack = () =>
  Object.assign(new Error('The transaction was rolled back, because one of its statements failed.'), {
    code: IN_FAILED_TRANSACTION,
  });

/** An `OptimisticLockError` is about a row that changed after it was read, under the lock of another row. */
const isContended = (error: unknown) =>
  error instanceof OptimisticLockError || sqlStateOf(error)?.response === 'contended';

/** A deadlock, serialization failure, changed version or stale plan. Nothing was written, and a retry can succeed. */
export const isTransient = (error: unknown) =>
  isStalePlan(error) || isContended(error) || (isReported(error) && error.code === IN_FAILED_TRANSACTION);

/** The API error of a command that has failed in all attempts because of other requests, otherwise undefined. */
export const apiErrorOfContention = (error: unknown): ApiError | undefined =>
  isContended(error) ? conflict('Another request changed the same resource at the same time. Try again.') : undefined;

const INVALID_TEXT = '22P02';

/** An unpaired surrogate in a JSON value, which a function such as `json_errsave_error` rejects. */
const isNoJson = (error: Error & { code: string }) =>
  error.code === INVALID_TEXT && 'routine' in error && String(error.routine).startsWith('json');

/** The API error for an error of a statement that its values caused, otherwise undefined. */
export function apiErrorOfConstraint(error: unknown): ApiError | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (UNTRANSLATABLE_TEXT.has(error.code) || isNoJson(error as Error & { code: string })) {
    return new ApiError(
      'BAD_USER_INPUT',
      'The input contains a character that cannot be stored (NUL or an unpaired surrogate).',
    );
  }
  if (UNREADABLE_TIME.has(error.code)) {
    return new ApiError(
      'BAD_USER_INPUT',
      'The input contains a time that cannot be stored. Use a time such as 2026-01-31T10:00:00Z, in the years 0001 to 9999.',
    );
  }
  if (error.code !== UNIQUE_VIOLATION || !('constraint' in error)) return undefined;
  return apiErrors.get(String(error.constraint))?.();
}
