import { isRecord } from '../../../lib/is-record.ts';

/** The parameters of a request before validation. */
export interface GraphQLParams {
  query?: unknown;
  /** Hash of a trusted document, instead of `query` (GraphQL over HTTP, "Persisted Documents"). */
  documentId?: unknown;
  /** The same as `documentId`, as Relay's network layers send it. */
  doc_id?: unknown;
  /** The same as `documentId`. */
  id?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/** The validated parameters of a request, with the text of its document. */
export interface CheckedParams {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/**
 * The first error in the parameters of a request (GraphQL over HTTP, 5.1 "Request Parameters"). Undefined if they are
 * valid.
 */
export function paramsError({
  query,
  documentId,
  operationName,
  variables,
  extensions,
}: GraphQLParams): string | undefined {
  if (documentId != null) {
    if (typeof documentId !== 'string') return '"documentId" must be a string.';
    if (query != null) return '"query" and "documentId" cannot be combined.';
  } else if (typeof query !== 'string' || query === '') {
    return '"query" is required. It is the text of a GraphQL document.';
  }
  if (operationName != null && typeof operationName !== 'string') return '"operationName" must be a string.';
  if (variables != null && !isRecord(variables)) return '"variables" must be an object.';
  if (extensions != null && !isRecord(extensions)) return '"extensions" must be an object.';
  return undefined;
}
