/** Something wrong with one part of an input: `ErrorIssue` of the schema. */
export interface Issue {
  path: readonly (string | number)[];
  message: string;
  code: string;
}

/** An error of the graph. Its code is one of the enum `ErrorCode`. */
export class GraphError extends Error {
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(message: string, code: string, issues: readonly Issue[] = []) {
    super(message);
    this.name = 'GraphError';
    this.code = code;
    this.issues = issues;
  }
}

/** The service could not be reached, or its response did not arrive. A mutation may have run. */
export class ConnectionError extends Error {
  constructor() {
    super('The service cannot be reached.');
    this.name = 'ConnectionError';
  }
}

/** Codes of errors that pass by themselves. */
const PASSING = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMITED']);

/** Whether sending the same request again later can succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof GraphError && PASSING.has(error.code));

interface ErrorInResult {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { code?: string; issues?: readonly Issue[] };
}

/**
 * The error that a result is about: one that left the whole operation, a field of it that the operation begins with, or
 * an object around the field that failed without a value. Others concern a part that the viewer cannot have, which is
 * null, or one item of a list.
 */
export function errorOf(result: { data?: unknown; errors?: readonly ErrorInResult[] }): GraphError | undefined {
  const error = result.errors?.find(({ path }) => !path || path.length <= 1 || isObjectMissing(result.data, path));
  if (!error) return undefined;
  return new GraphError(error.message, error.extensions?.code ?? 'INTERNAL_SERVER_ERROR', error.extensions?.issues);
}

/**
 * Whether an object that leads to the field is null: the field could not be, so that the error removed what contains
 * it.
 */
function isObjectMissing(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const name of path.slice(0, -1)) {
    if (value === null || value === undefined) return true;
    if (typeof name === 'number') return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value === null || value === undefined;
}
