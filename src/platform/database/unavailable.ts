import { ApiError } from '../errors.ts';

/** A statement was cancelled: it took longer than the database lets one take (PostgreSQL, Appendix A). */
const QUERY_CANCELED = '57014';

/** The server stops, crashed, starts, has no place left, or cut an idle session (PostgreSQL, Appendix A). */
const PASSING = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300', '53400']);

/** Nobody is there, or went away in the middle. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What the driver says, without a code, of connections that could not be had or broke. */
const MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

/**
 * The apiError that an error of the database stands for when trying again later may help; undefined for any other error.
 * Whether a statement that broke off took effect is not known.
 */
export function unavailabilityOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ApiError) return error.code === 'SERVICE_UNAVAILABLE' ? error : undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (code === QUERY_CANCELED) {
    return unavailable('This took the database too long; ask for less, or try again shortly.', error);
  }
  const isPassing = PASSING.has(code) || NETWORK.has(code) || MESSAGES.test(error.message);
  return isPassing ? unavailable('The service is busy; try again shortly.', error) : undefined;
}

function unavailable(message: string, cause: Error): ApiError {
  const apiError = new ApiError('SERVICE_UNAVAILABLE', message);
  apiError.cause = cause;
  return apiError;
}
