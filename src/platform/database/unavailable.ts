import { insufficientStorage, isOutOfSpace } from '../disk/out-of-space.ts';
import { ApiError, isPassing } from '../errors/errors.ts';
import { sqlStateOf } from './sqlstates.ts';

/** The server cannot be reached, its name cannot be resolved, or the connection broke. */
const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
]);

/**
 * Messages about connections that failed, broke or were closed: of the driver, without a code, and of Node, with any
 * code. The socket of a PostgreSQL that starts again is missing for a moment (ENOENT), that of a busy one has no room
 * (EAGAIN).
 */
const MESSAGES =
  /^connect E|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|Connection terminated|Client has encountered a connection error|Client was closed/;

/**
 * The API error for an error if a retry may help, otherwise undefined: the database or the bucket is unavailable, or a
 * disk is full. It is unknown whether an interrupted statement took effect.
 */
export function unavailabilityOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ApiError) return isPassing(error) ? error : undefined;
  if (isOutOfSpace(error)) return withCause(insufficientStorage(), error);
  if (isTimeLimit(error)) {
    return unavailable('The database query took too long. Request less data, or try again later.', error);
  }
  return isUnreachable(error) || sqlStateOf(error) || isStorageFault(error)
    ? unavailable('The service is busy. Try again later.', error)
    : undefined;
}

/**
 * The bucket answered with a server error, throttled requests or did not answer in time, and repetitions did not help.
 * Errors of the AWS SDK that have `$metadata` without a status come from the client, such as those of credentials or
 * certificates.
 */
function isStorageFault(error: Error): boolean {
  if (!('$metadata' in error)) return false;
  const { httpStatusCode = 0 } = error.$metadata as { httpStatusCode?: number }; // of the SDK
  return httpStatusCode >= 500 || httpStatusCode === TOO_MANY_REQUESTS || TIMEOUTS.has(error.name);
}

const TOO_MANY_REQUESTS = 429;

/** Names of errors of the SDK and of the service. */
const TIMEOUTS = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);

/** Whether a statement was cancelled because it exceeded its time limit. */
const isTimeLimit = (error: Error): boolean => sqlStateOf(error)?.response === 'too-slow';

/** Whether the connection is lost, was refused or has become unusable, rather than the statement. */
export function isUnreachable(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return sqlStateOf(error)?.closes === true || NETWORK.has(code) || MESSAGES.test(error.message);
}

const unavailable = (message: string, cause: Error) => withCause(new ApiError('SERVICE_UNAVAILABLE', message), cause);

function withCause(apiError: ApiError, cause: Error): ApiError {
  apiError.cause = cause;
  return apiError;
}
