import { GraphQLError, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Context } from '../context.ts';
import { unauthenticated } from '../errors.ts';
import type { Prepared } from './prepare-document.ts';
import { asError, refused } from './refused.ts';
import type { GraphQLOutcome } from './run-graphql.ts';

/** What the transport can do. */
export interface Ways {
  /** No mutations. */
  readOnly?: boolean;
  /** Answers may come one by one, as subscriptions need. */
  streamed?: boolean;
}

/** The operation that a request means, or why it may not run for this caller, in this way. */
export function chooseOperation(
  schema: GraphQLSchema,
  { document, introspects }: Prepared,
  name: string | null | undefined,
  ctx: Context,
  { readOnly = false, streamed = false }: Ways,
): OperationDefinitionNode | GraphQLOutcome {
  const operation = getOperationAST(document, name);
  if (!operation) return refused(ctx, [noOperation(name)], 'BAD_USER_INPUT');
  const kind = operation.operation;
  if (!schema.getRootType(kind)) {
    // Validation lets it pass, and execution would fail.
    const error = new GraphQLError(`This graph has no ${kind}s.`, { nodes: operation });
    return refused(ctx, [error], 'GRAPHQL_VALIDATION_FAILED');
  }
  if (kind === 'subscription' && !streamed) return refused(ctx, [new GraphQLError(NEEDS_STREAM)], 'BAD_USER_INPUT');
  if (kind === 'mutation' && readOnly) {
    const error = new GraphQLError(`A ${kind} cannot be sent with GET; use POST.`);
    return refused(ctx, [error], 'BAD_USER_INPUT', 'unsafe');
  }
  if (introspects && ctx.actor.kind === 'anonymous') {
    return refused(ctx, [asError(unauthenticated(SCHEMA_NEEDS_TOKEN))], 'BAD_USER_INPUT');
  }
  return operation;
}

const NEEDS_STREAM = 'A subscription is answered by events: send "Accept: text/event-stream".';

const SCHEMA_NEEDS_TOKEN = 'Reading the schema needs an access token: send "Authorization: Bearer <token>".';

const noOperation = (name: string | null | undefined) =>
  new GraphQLError(
    name
      ? `The document has no operation "${name}".`
      : 'The document has several operations (or none): name one with "operationName".',
  );
