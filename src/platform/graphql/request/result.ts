import { type ExecutionResult, GraphQLError, type GraphQLHTTPErrorExtensions } from 'graphql';
import type { GraphQLOutcome } from './outcome.ts';
import type { Exchange } from './server-context.ts';

/** The result for Yoga, which sets the HTTP status. The route writes the body in chunks to limit its size. */
export type Result = ExecutionResult & { stringify?: () => string };

/**
 * HTTP responses of Yoga for each stage (GraphQL over HTTP, 6.4). With `spec`, the status is 200 for clients that only
 * accept `application/json`.
 */
const HTTP: Record<GraphQLOutcome['stage'], GraphQLHTTPErrorExtensions | undefined> = {
  malformed: { status: 400 },
  refused: { status: 400, spec: true },
  unsafe: { status: 405, headers: { allow: 'POST' } },
  executed: undefined,
};

/**
 * Converts an outcome to a result for Yoga, which reads the status from an error. Stores the response for the route.
 */
export function yogaResult({ response, stage }: GraphQLOutcome, sent: Exchange['sent']): Result {
  sent.response = response;
  const http = HTTP[stage];
  const stringify = () => '';
  if (!http) return { ...(response as Result), stringify }; // errors are formatted already
  return { errors: [new GraphQLError(stage, { extensions: { http } })], stringify };
}
