import { type ExecutionResult, GraphQLError, type GraphQLHTTPErrorExtensions } from 'graphql';
import type { GraphQLOutcome } from './run-graphql.ts';
import type { ServerContext } from './server-context.ts';

/** What Yoga reads the status from. Its text is not used: answers are written in pieces, so that their size is bounded. */
export type Result = ExecutionResult & { stringify?: () => string };

/**
 * How Yoga answers over HTTP by how far a request came (GraphQL over HTTP, 6.4): `spec` makes it 200 for clients that take
 * plain JSON alone.
 */
const HTTP: Record<GraphQLOutcome['stage'], GraphQLHTTPErrorExtensions | undefined> = {
  malformed: { status: 400 },
  refused: { status: 400, spec: true },
  unsafe: { status: 405, headers: { allow: 'POST' } },
  executed: undefined,
};

/** The result that stands for an outcome in Yoga, which reads the status from an error. The answer is put where the route finds it. */
export function resultOf({ answer, stage }: GraphQLOutcome, sent: ServerContext['sent']): Result {
  sent.answer = answer;
  const http = HTTP[stage];
  const stringify = () => '';
  if (!http) return { ...(answer as Result), stringify }; // errors are formatted already
  return { errors: [new GraphQLError(stage, { extensions: { http } })], stringify };
}
