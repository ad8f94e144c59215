import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LruMap } from '../../lib/lru.ts';
import type { Context } from '../context.ts';
import { type ErrorCode, formatError } from './errors.ts';
import { isTooDeep, MAX_NESTING } from './nesting.ts';

/** A request as any transport hands it over. Nothing in it is trusted. */
export interface GraphQLParams {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

export interface GraphQLAnswer {
  data?: unknown;
  errors?: GraphQLFormattedError[];
}

/** The answer and how far the request came: the transport derives the HTTP status from it. */
export interface GraphQLOutcome {
  answer: GraphQLAnswer;
  /**
   * - `malformed`: it is no GraphQL request; some member is missing or of a wrong type.
   * - `refused`: its document or its variables do not fit the schema, so nothing ran.
   * - `unsafe`: it is not a query, and only those were wanted; nothing ran.
   * - `executed`: it ran, wholly or in part.
   */
  stage: 'malformed' | 'refused' | 'unsafe' | 'executed';
}

/** Runs a request against the schema. Only `query` operations when `readOnly` (GET: GraphQL over HTTP, 6.2.1). */
export type RunGraphQL = (
  params: GraphQLParams,
  ctx: Context,
  options?: { readOnly?: boolean },
) => Promise<GraphQLOutcome>;

interface Prepared {
  document: DocumentNode;
  /** Compiled forms by operation name; filled as they are asked for. */
  compiled: Map<string, CompiledQuery>;
}

type Looked = { prepared: Prepared } | { errors: readonly GraphQLError[]; code: ErrorCode };

const CACHED_DOCUMENTS = 1_000;
/** In characters. Longer documents are prepared each time: clients that repeat a document send short ones. */
const MAX_CACHED_DOCUMENT = 16_384;
const MAX_TOKENS = 15_000;
const MAX_ERRORS = 20;

/**
 * The one way into the graph, behind every transport: looks the document up, parses, validates and compiles it once,
 * executes, and masks errors. The cache is bounded; its key is the text of the document.
 */
export function makeRunGraphQL(schema: GraphQLSchema): RunGraphQL {
  const documents = new LruMap<string, Looked>(CACHED_DOCUMENTS);

  const look = (query: string): Looked => {
    const known = documents.get(query);
    if (known) return known;
    const looked = prepare(schema, query);
    // Failures are cached too: a client that repeats a broken document costs nothing.
    if (query.length <= MAX_CACHED_DOCUMENT) documents.set(query, looked);
    return looked;
  };

  return async (params, ctx, { readOnly = false } = {}) => {
    const fault = faultOf(params);
    if (fault) return refused(ctx, [new GraphQLError(fault)], 'BAD_USER_INPUT', 'malformed');
    // faultOf has checked the members' types.
    const { query, operationName, variables } = params as { query: string; operationName?: string; variables?: object };
    const looked = look(query);
    if ('errors' in looked) return refused(ctx, looked.errors, looked.code);

    const { document, compiled } = looked.prepared;
    const operation = getOperationAST(document, operationName);
    if (!operation) return refused(ctx, [noOperation(operationName)], 'BAD_USER_INPUT');
    if (!schema.getRootType(operation.operation)) {
      // Validation lets it pass, and execution would fail.
      const error = new GraphQLError(`This graph has no ${operation.operation}s.`, { nodes: operation });
      return refused(ctx, [error], 'GRAPHQL_VALIDATION_FAILED');
    }
    if (readOnly && operation.operation !== 'query') {
      const error = new GraphQLError(`A ${operation.operation} cannot be sent with GET; use POST.`);
      return refused(ctx, [error], 'BAD_USER_INPUT', 'unsafe');
    }
    return run(schema, document, compiled, operation, operationName, variables, ctx);
  };
}

async function run(
  schema: GraphQLSchema,
  document: DocumentNode,
  compiled: Map<string, CompiledQuery>,
  operation: OperationDefinitionNode,
  operationName: string | undefined,
  variables: object | undefined,
  ctx: Context,
): Promise<GraphQLOutcome> {
  const given = (variables ?? {}) as Record<string, unknown>; // an object, by faultOf
  // graphql-jit does not enforce `@oneOf` on variables, so they are coerced by the reference implementation first.
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: MAX_ERRORS });
  if (coerced.errors) return refused(ctx, coerced.errors, 'BAD_USER_INPUT');

  const name = operation.name?.value ?? '';
  let query = compiled.get(name);
  if (!query) {
    const result = compileQuery(schema, document, operationName);
    if (!isCompiledQuery(result)) {
      return outcome(await execute({ schema, document, variableValues: given, operationName, contextValue: ctx }), ctx);
    }
    query = result;
    compiled.set(name, query);
  }
  return outcome(await execution(query, ctx, given), ctx);
}

/** graphql-jit throws where the reference implementation answers an error, when a type cannot be resolved. */
async function execution(query: CompiledQuery, ctx: Context, given: object): Promise<ExecutionResult> {
  try {
    return (await query.query(undefined, ctx, given)) as ExecutionResult; // no incremental delivery here
  } catch (error) {
    return {
      data: null,
      errors: [new GraphQLError('', { originalError: error instanceof Error ? error : undefined })],
    };
  }
}

function outcome({ data, errors }: ExecutionResult, ctx: Context): GraphQLOutcome {
  const shown = errors?.map((error) => formatError(error, ctx, isOfArgument(error) ? 'BAD_USER_INPUT' : undefined));
  return { answer: { ...(shown && shown.length > 0 ? { errors: shown } : {}), data }, stage: 'executed' };
}

/**
 * While a request runs, the one fault of its own that is left is a variable without a value at an argument that needs
 * one (October 2021 Edition, 6.4.1). A null or a value that the schema does not allow is our fault.
 */
const isOfArgument = ({ message }: GraphQLError) => message.startsWith('Argument "');

function refused(
  ctx: Context,
  errors: readonly GraphQLError[],
  code: ErrorCode,
  stage: GraphQLOutcome['stage'] = 'refused',
): GraphQLOutcome {
  return { answer: { errors: errors.map((error) => formatError(error, ctx, code)) }, stage };
}

function prepare(schema: GraphQLSchema, query: string): Looked {
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    if (isTooDeep(document)) return tooDeep();
    const errors = validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) return { errors, code: 'GRAPHQL_VALIDATION_FAILED' };
    return { prepared: { document, compiled: new Map() } };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error], code: 'GRAPHQL_PARSE_FAILED' };
    // The parser recurses, and runs out of stack on thousands of open brackets.
    if (error instanceof RangeError) return tooDeep();
    throw error;
  }
}

const tooDeep = (): Looked => ({
  errors: [new GraphQLError(`The document is nested too deep; at most ${MAX_NESTING} levels are taken.`)],
  code: 'QUERY_TOO_COMPLEX',
});

/** What is wrong with the request's members (GraphQL over HTTP, 5.1 "Request Parameters"). */
function faultOf({ query, operationName, variables, extensions }: GraphQLParams): string | undefined {
  if (typeof query !== 'string' || query === '') return 'The request needs a "query": the text of a GraphQL document.';
  if (operationName != null && typeof operationName !== 'string') return '"operationName" must be a string.';
  if (variables != null && !isObject(variables)) return '"variables" must be an object.';
  if (extensions != null && !isObject(extensions)) return '"extensions" must be an object.';
  return undefined;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const noOperation = (name: string | undefined) =>
  new GraphQLError(
    name
      ? `The document has no operation "${name}".`
      : 'The document has several operations (or none): name one with "operationName".',
  );
