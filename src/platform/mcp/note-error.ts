import type { Context } from '../context/context.ts';
import { cutMessage } from '../errors/bounded-faults.ts';
import { type Issue, internalMessage } from '../errors/errors.ts';
import { apiErrorOf } from '../http/error-body.ts';
import { loggable } from '../log/loggable.ts';
import { noteUnexpectedError } from '../log/unexpected-errors.ts';

/** An error as the caller may see it. */
export interface CallerError {
  code: string;
  message: string;
  issues: readonly Issue[];
}

/** What the caller may see of an error of an operation. Bugs and unavailable services are logged with their details. */
export function noteError({ log, requestId }: Pick<Context, 'log' | 'requestId'>, error: unknown): CallerError {
  const apiError = apiErrorOf(error);
  if (!apiError) {
    noteUnexpectedError(log, loggable(error));
    return { code: 'INTERNAL_SERVER_ERROR', message: internalMessage(requestId), issues: [] };
  }
  if (apiError.cause !== undefined) log.warn({ err: loggable(apiError.cause) }, 'unavailable');
  return { code: apiError.code, message: cutMessage(apiError.message), issues: apiError.issues };
}
