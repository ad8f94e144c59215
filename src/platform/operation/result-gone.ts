import { ApiError } from '../errors/errors.ts';

/**
 * A response is read after the commit of its command. What it shows may be deleted, or hidden from the caller, in
 * between. The error then says that the command has run, which NOT_FOUND of the command itself does not mean.
 */
export const resultGone = (what: 'mutation' | 'operation'): ApiError =>
  new ApiError('NOT_FOUND', `The ${what} has run, but its result was deleted meanwhile, or you can no longer see it.`);

/** The error to throw for one that reading the result has thrown. */
export const errorOfResult = (error: unknown, what: 'mutation' | 'operation'): unknown =>
  error instanceof ApiError && error.code === 'NOT_FOUND' ? resultGone(what) : error;
