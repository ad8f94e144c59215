import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isOperator } from '../access/actor.ts';
import type { Context } from '../context.ts';
import { badInput, forbidden } from '../errors.ts';
import { faultOf, type GraphQLParams } from './params.ts';
import { asError, refused } from './refused.ts';
import { resultOf } from './result.ts';
import type { GraphQLOutcome } from './run-graphql.ts';
import type { ServerContext } from './server-context.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** What Yoga's own check of the members lets pass, where a request is answered already. */
const ANSWERED = { query: '' };

/**
 * Checks the members of a request and finds the text of its document, so that everything behind it sees `query` alone.
 * A trusted document is named by `documentId`, by `doc_id` or `id` as Relay's network layers do, or by
 * `extensions.persistedQuery.sha256Hash` as Apollo's clients do. Registering documents that way is not offered.
 */
export const useTrustedDocuments = (documents: TrustedDocuments | undefined): Plugin<object, ServerContext> => ({
  onParams({ params, setParams, setResult, context: { ctx, sent } }) {
    const found = textOf(params, ctx, documents);
    if (typeof found === 'string') {
      const { operationName, variables, extensions } = params;
      setParams({ query: found, operationName, variables, extensions });
    } else {
      setResult(resultOf(found, sent));
      setParams(ANSWERED);
    }
  },
});

/**
 * The text of the document that a request asks to be run. Where only trusted documents are, other texts are for
 * operators, who need GraphiQL; the text of a trusted one is as good as its hash.
 */
function textOf(params: GraphQLParams, ctx: Context, documents: TrustedDocuments | undefined): string | GraphQLOutcome {
  const { query, documentId = query == null ? (params.doc_id ?? params.id) : undefined } = params;
  const hash = query == null && documentId == null ? persistedHash(params.extensions) : undefined;
  if (hash !== undefined) {
    return documents?.byId.get(hash) ?? refused(ctx, [NOT_SUPPORTED], 'PERSISTED_QUERY_NOT_SUPPORTED');
  }
  const fault = faultOf({ ...params, documentId });
  if (fault) return malformed(ctx, new GraphQLError(fault));
  if (documentId != null) {
    const id = documentId as string; // by faultOf
    const unknown = () => badInput(['documentId'], `There is no trusted document ${JSON.stringify(id.slice(0, 100))}.`);
    return documents?.byId.get(id) ?? malformed(ctx, asError(unknown()));
  }
  const text = query as string; // by faultOf
  if (!documents?.isOnly || documents.texts.has(text) || isOperator(ctx.actor)) return text;
  return malformed(ctx, asError(forbidden('Only trusted documents run here: send "documentId", the hash of one.')));
}

const malformed = (ctx: Context, error: GraphQLError) => refused(ctx, [error], 'BAD_USER_INPUT', 'malformed');

/** Clients look for this text, and send the document itself from then on (Apollo, "Automatic persisted queries"). */
const NOT_SUPPORTED = { message: 'PersistedQueryNotSupported', locations: undefined };

function persistedHash(extensions: unknown): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null }; // members may be anything
  const hash = persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash : undefined;
}
