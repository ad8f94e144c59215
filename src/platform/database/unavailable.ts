import { insufficientStorage, isOutOfSpace } from '../disk/out-of-space.ts';
import { ApiError, isPassing } from '../errors.ts';

/** A statement was cancelled because it exceeded its time limit (PostgreSQL, Appendix A). */
const QUERY_CANCELED = '57014';

/**
 * The server stops, crashed, is starting, has no free connections, or closed an idle session (PostgreSQL, Appendix A).
 */
const PASSING = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300', '53400']);

/** The server has no memory or other resources left (PostgreSQL, Appendix A, class 53). */
const EXHAUSTED = new Set(['53000', '53200']);

/** The server cannot be reached, or the connection broke. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Messages of the driver without a code, about connections that failed, broke or were closed. */
const MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed/;

/**
 * The API error for an error if a retry may help, otherwise undefined: the database is unavailable, or a disk is full. It
 * is unknown whether an interrupted
 * statement took effect.
 */
export function unavailabilityOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ApiError) return isPassing(error) ? error : undefined;
  if (isOutOfSpace(error)) return withCause(insufficientStorage(), error);
  const code = 'code' in error ? String(error.code) : '';
  if (code === QUERY_CANCELED) {
    return unavailable('The database query took too long. Request less data, or try again later.', error);
  }
  return isUnreachable(error) || EXHAUSTED.has(code)
    ? unavailable('The service is busy. Try again later.', error)
    : undefined;
}

/** Whether a statement was cancelled because it exceeded its time limit. */
export const isTimeLimit = (error: Error): boolean => 'code' in error && error.code === QUERY_CANCELED;

/** Whether the connection is lost or was refused, rather than the statement. */
export function isUnreachable(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return PASSING.has(code) || NETWORK.has(code) || MESSAGES.test(error.message);
}

const unavailable = (message: string, cause: Error) => withCause(new ApiError('SERVICE_UNAVAILABLE', message), cause);

function withCause(apiError: ApiError, cause: Error): ApiError {
  apiError.cause = cause;
  return apiError;
}
