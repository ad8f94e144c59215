import { excessOfVariables } from './variable-limits.ts';
/** A request as any transport hands it over. Nothing in it is trusted. */
export interface GraphQLParams {
  query?: unknown;
  /** Instead of `query`: a trusted document by its hash (GraphQL over HTTP, "Persisted Documents"). */
  documentId?: unknown;
  /** The same as `documentId`, as Relay's network layers send it. */
  doc_id?: unknown;
  /** The same as `documentId`. */
  id?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/** A request whose members have the right types, with the text of its document. */
export interface CheckedParams {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
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
