import { type ExecutionResult, GraphQLError, type GraphQLHTTPErrorExtensions } from 'graphql';
import type { GraphQLOutcome } from './run-graphql.ts';

/** What Yoga sends: an answer, or where nothing ran, what makes the text of one. */
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

/** The result that stands for an outcome in Yoga, which reads the status from an error and sends the answer as it is. */
export function resultOf({ answer, stage }: GraphQLOutcome): Result {
  const http = HTTP[stage];
  if (!http) return answer as Result; // errors are formatted already
  return { errors: [new GraphQLError(stage, { extensions: { http } })], stringify: () => JSON.stringify(answer) };
}
