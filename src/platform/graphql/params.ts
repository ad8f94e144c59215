import { type Actor, isOperator } from '../access/actor.ts';
import { badInput, forbidden, type Refusal } from '../errors.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import { excessOfVariables } from './variable-limits.ts';

/** A request as any transport hands it over. Nothing in it is trusted. */
export interface GraphQLParams {
  query?: unknown;
  /** Instead of `query`: a trusted document by its hash (GraphQL over HTTP, "Persisted Documents"). */
  documentId?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/** The members of a request when `faultOf` finds nothing. */
export interface CheckedParams {
  query?: string | null;
  documentId?: string | null;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

/** What is wrong with the request's members (GraphQL over HTTP, 5.1 "Request Parameters"). */
export function faultOf({
  query,
  documentId,
  operationName,
  variables,
  extensions,
}: GraphQLParams): string | undefined {
  if (documentId != null) {
    if (typeof documentId !== 'string') return '"documentId" must be a string.';
    if (query != null) return 'Send "query" or "documentId", not both.';
  } else if (typeof query !== 'string' || query === '') {
    return 'The request needs a "query": the text of a GraphQL document.';
  }
  if (operationName != null && typeof operationName !== 'string') return '"operationName" must be a string.';
  if (variables != null) {
    if (!isObject(variables)) return '"variables" must be an object.';
    const excess = excessOfVariables(variables as Record<string, unknown>); // just checked
    if (excess !== undefined) return `"variables" must be ${excess}.`;
  }
  if (extensions != null && !isObject(extensions)) return '"extensions" must be an object.';
  return undefined;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The text of the document that a request asks to be run. Where only trusted documents are, other texts are for
 * operators, who need GraphiQL; the text of a trusted one is as good as its hash.
 */
export function documentText(
  { query, documentId }: CheckedParams,
  actor: Actor,
  documents: TrustedDocuments | undefined,
): string | Refusal {
  if (documentId != null) {
    const text = documents?.byId.get(documentId);
    return (
      text ?? badInput(['documentId'], `There is no trusted document ${JSON.stringify(documentId.slice(0, 100))}.`)
    );
  }
  const text = query ?? '';
  if (!documents?.isOnly || documents.texts.has(text) || isOperator(actor)) return text;
  return forbidden('Only trusted documents run here: send "documentId", the hash of one.');
}
