import { GraphQLError } from 'graphql';
import { isOperator } from '../../access/actor.ts';
import type { Context } from '../../context/context.ts';
import { forbidden } from '../../errors/errors.ts';
import type { GraphQLOutcome } from './outcome.ts';
import { type CheckedParams, type GraphQLParams, paramsError } from './params.ts';
import { asError, rejectionOutcome } from './rejection-outcome.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/**
 * Validates the parameters of a request, and finds the text of a trusted document by its id: `documentId`, `doc_id` or
 * `id` (Relay's network layers), or `extensions.persistedQuery.sha256Hash` (Apollo's clients). Clients cannot register
 * documents.
 */
export function checkParams(
  params: GraphQLParams,
  ctx: Context,
  documents: TrustedDocuments,
): CheckedParams | GraphQLOutcome {
  const query = textOf(params, ctx, documents);
  if (typeof query !== 'string') return query;
  const { operationName, variables } = params as Pick<CheckedParams, 'operationName' | 'variables'>; // just checked
  return { query, operationName, variables };
}

/**
 * The text of the requested document. With `TRUSTED_DOCUMENTS_ONLY`, only operators can run other documents, for
 * GraphiQL. Trusted documents can also be sent as text.
 */
function textOf(params: GraphQLParams, ctx: Context, documents: TrustedDocuments): string | GraphQLOutcome {
  const { query, documentId = query == null ? (params.doc_id ?? params.id) : undefined } = params;
  const hash = query == null && documentId == null ? persistedHash(params.extensions) : undefined;
  const message = paramsError({ ...params, documentId: documentId ?? hash });
  if (message) return malformed(ctx, new GraphQLError(message));
  if (hash !== undefined) {
    return documents.byId.get(hash) ?? rejectionOutcome(ctx, [NOT_SUPPORTED], 'PERSISTED_QUERY_NOT_SUPPORTED');
  }
  if (documentId != null) {
    const id = documentId as string; // by paramsError
    const message = `Trusted document ${JSON.stringify(id.slice(0, 100))} does not exist.`;
    const unknown = () =>
      rejectionOutcome(ctx, [{ message, locations: undefined }], 'PERSISTED_QUERY_NOT_FOUND', 'malformed');
    return documents.byId.get(id) ?? unknown();
  }
  const text = query as string; // by paramsError
  if (!documents.isOnly || documents.texts.has(text) || isOperator(ctx.actor)) return text;
  return malformed(
    ctx,
    asError(forbidden('Only trusted documents are allowed. Send the hash of one as "documentId".')),
  );
}

const malformed = (ctx: Context, error: GraphQLError) => rejectionOutcome(ctx, [error], 'BAD_USER_INPUT', 'malformed');

/** On this message, Apollo's clients send the document itself from then on ("Automatic persisted queries"). */
const NOT_SUPPORTED = { message: 'PersistedQueryNotSupported', locations: undefined };

function persistedHash(extensions: unknown): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null }; // not validated yet
  const hash = persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash : undefined;
}
