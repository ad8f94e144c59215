import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Context } from '../../context/context.ts';
import { apiErrorOfConstraint } from '../../database/constraints.ts';
import { unavailabilityOf } from '../../database/unavailable.ts';
import { boundFaults, cutMessage } from '../../errors/bounded-faults.ts';
import { ApiError, boundIssues, internalMessage } from '../../errors/errors.ts';
import { loggable } from '../../log/loggable.ts';
import { noteUnexpectedError } from '../../log/unexpected-errors.ts';
import { issueCodeOf } from './issue-code-of.ts';

/** Codes of errors. */
export type ErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'BAD_USER_INPUT'
  | 'QUERY_TOO_COMPLEX';

/**
 * The status of masked errors in REST. It is logged in both transports, although a response of the graph can still be a
 * 200.
 */
const INTERNAL_STATUS = 500;

/**
 * Formats an error for the client. API errors keep their message and code. With `code`, the error is a GraphQL request
 * error and keeps its message. All other errors are logged and masked as internal errors.
 */
export function formatError(error: unknown, ctx: Context, code?: ErrorCode): GraphQLFormattedError {
  const located = error instanceof GraphQLError ? error : undefined;
  const thrown = causeOf(error);
  const cause = unavailabilityOf(thrown) ?? apiErrorOfConstraint(thrown) ?? thrown;
  const place = {
    ...(located?.locations && { locations: located.locations }),
    ...(located?.path && { path: located.path }),
  };
  const { requestId } = ctx;
  if (cause instanceof ApiError) {
    const issues = cause.issues.length > 0 ? { issues: boundIssues(cause.issues) } : {};
    return { message: cutMessage(cause.message), ...place, extensions: { code: cause.code, ...issues, requestId } };
  }
  if (located && cause instanceof GraphQLError && code) {
    // The outermost message contains the variable and the path in it.
    const message = cutMessage(located.message);
    const [, argument] = (code === 'BAD_USER_INPUT' && /^Argument "(\w+)"/.exec(message)) || [];
    const issues =
      argument === undefined ? {} : { issues: [{ path: [argument], message, code: issueCodeOf(message) }] };
    return { message, ...place, extensions: { code, ...issues, requestId } };
  }
  const operation = ctx.callSummary?.operation;
  const fields = { ...(operation && { operation }), status: INTERNAL_STATUS, path: located?.path };
  noteUnexpectedError(ctx.log, loggable(cause), fields);
  const extensions = { code: 'INTERNAL_SERVER_ERROR', requestId };
  return { message: internalMessage(requestId), ...place, extensions };
}

/** Limits the errors of a response. A last error with the code of the first one states how many were omitted. */
export function boundErrors(errors: readonly GraphQLFormattedError[]): GraphQLFormattedError[] {
  const { code, requestId } = errors[0]?.extensions ?? {};
  return [...boundFaults(errors, (message) => ({ message, extensions: { code, requestId } }))];
}

/** The original error, without the errors that the executor wraps around it. */
export function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}
