import { GraphQLError } from 'graphql';
import { isPublicCaller } from '../../access/actor.ts';
import type { Context } from '../../context/context.ts';
import { cutMessage } from '../../errors/bounded-faults.ts';
import type { ApiError } from '../../errors/errors.ts';
import { boundErrors, type ErrorCode, formatError } from './errors.ts';
import type { GraphQLOutcome } from './outcome.ts';

/** Returns the outcome of a request that is rejected before execution. */
export function rejectionOutcome(
  ctx: Context,
  errors: readonly Pick<GraphQLError, 'message' | 'locations'>[],
  code: ErrorCode,
  stage: GraphQLOutcome['stage'] = 'refused',
): GraphQLOutcome {
  const formatted = boundErrors(errors.map((error) => format(error, ctx, code)));
  if (!isPublicCaller(ctx.actor)) return { response: { errors: formatted }, stage };
  return { response: { errors: formatted.map((error) => ({ ...error, message: withoutHint(error.message) })) }, stage };
}

function format(error: Pick<GraphQLError, 'message' | 'locations'>, ctx: Context, code: ErrorCode) {
  if (error instanceof GraphQLError) return formatError(error, ctx, code);
  const { message, locations } = error;
  return {
    message: cutMessage(message),
    ...(locations && { locations }),
    extensions: { code, requestId: ctx.requestId },
  };
}

/**
 * Removes the hint at the end of a message. Hints reveal parts of the schema, which only callers with a token can read.
 */
function withoutHint(message: string): string {
  const at = message.indexOf(' Did you mean ');
  return at === -1 ? message : message.slice(0, at);
}

/** Wraps an API error, which keeps its code. */
export const asError = (apiError: ApiError) => new GraphQLError(apiError.message, { originalError: apiError });
