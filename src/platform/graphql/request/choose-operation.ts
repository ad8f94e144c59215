import { GraphQLError, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { isPublicCaller } from '../../access/actor.ts';
import type { Context } from '../../context/context.ts';
import { unauthenticated } from '../../errors/errors.ts';
import type { GraphQLOutcome } from './outcome.ts';
import type { ExecutableDocument } from './prepare-document.ts';
import { asError, rejectionOutcome } from './rejection-outcome.ts';

/** What the request's method and `Accept` header allow. */
export interface TransportCapabilities {
  /** Mutations are rejected, as with GET (GraphQL over HTTP, 6.2.1). */
  readOnly?: boolean;
  /** The response can be an event stream, which subscriptions require. */
  streamed?: boolean;
}

/** Returns the operation that a request selects, or the error if it cannot run for this caller on this transport. */
export function chooseOperation(
  schema: GraphQLSchema,
  { document, introspects }: ExecutableDocument,
  name: string | null | undefined,
  ctx: Context,
  { readOnly = false, streamed = false }: TransportCapabilities,
): OperationDefinitionNode | GraphQLOutcome {
  const operation = getOperationAST(document, name);
  if (!operation) return rejectionOutcome(ctx, [noOperation(name)], 'BAD_USER_INPUT');
  const kind = operation.operation;
  if (!schema.getRootType(kind)) {
    // Validation accepts it, but execution would throw.
    const error = new GraphQLError(`The schema has no ${kind}s.`, { nodes: operation });
    return rejectionOutcome(ctx, [error], 'GRAPHQL_VALIDATION_FAILED');
  }
  if (kind === 'subscription' && !streamed)
    return rejectionOutcome(ctx, [new GraphQLError(NEEDS_STREAM)], 'BAD_USER_INPUT');
  if (kind === 'mutation' && readOnly) {
    const error = new GraphQLError(`A ${kind} cannot be sent with GET. Use POST.`);
    return rejectionOutcome(ctx, [error], 'BAD_USER_INPUT', 'unsafe');
  }
  if (introspects && isPublicCaller(ctx.actor)) {
    return rejectionOutcome(ctx, [asError(unauthenticated(SCHEMA_NEEDS_TOKEN))], 'BAD_USER_INPUT');
  }
  return operation;
}

const NEEDS_STREAM = 'Subscriptions require the header "Accept: text/event-stream".';

const SCHEMA_NEEDS_TOKEN = 'Introspection requires an access token. Send the header "Authorization: Bearer <token>".';

const noOperation = (name: string | null | undefined) =>
  new GraphQLError(
    name
      ? `The document has no operation "${name}".`
      : 'The document does not have exactly one operation. Select one with "operationName".',
  );
