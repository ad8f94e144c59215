import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { chooseOperation, type Ways } from './choose-operation.ts';
import { boundErrors, causeOf, formatError } from './errors.ts';
import type { CheckedParams } from './params.ts';
import { operationOf, type Prepared, type PreparedOperation, prepareDocument, type Unfit } from './prepare-document.ts';
import { readVariables } from './read-variables.ts';
import { refused } from './refused.ts';
import { makeSubscription, type Subscription } from './subscription.ts';
import { maxErrorsOf } from './variable-limits.ts';

export interface GraphQLAnswer {
  data?: unknown;
  errors?: GraphQLFormattedError[];
  extensions?: Record<string, unknown>;
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
  /** What answers a subscription, instead of `answer`. */
  subscription?: Subscription;
}

/** Runs a request against the schema: no mutations when `readOnly` (GET: GraphQL over HTTP, 6.2.1). */
export type RunGraphQL = (params: CheckedParams, ctx: Context, ways?: Ways) => Promise<GraphQLOutcome>;

export interface RunOptions {
  /** What an operation may cost; see `cost.ts`. */
  maxCost?: number;
  /** From which use on an operation is compiled: compiling takes longer than running once. */
  compileFrom?: number;
}

/** In characters, over all documents; a compiled one takes some 150 bytes of memory for each. */
const CACHED_CHARACTERS = 400_000;
/** What a document weighs beside its characters. */
const DOCUMENT_WEIGHT = 100;
/** Of an operation's name, for the log. */
const MAX_NAME = 100;
/** Longer documents are prepared each time: clients that repeat a document send short ones. */
const MAX_CACHED_DOCUMENT = 16_384;

/**
 * The engine of the graph, behind every transport: parses, limits, validates and compiles a document once, executes it,
 * and masks errors. The cache is bounded; its key is the text of the document.
 */
export function makeRunGraphQL(schema: GraphQLSchema, options: RunOptions = {}): RunGraphQL {
  const { maxCost = Number.POSITIVE_INFINITY, compileFrom = 1 } = options;
  const cache = new LRUCache<string, Prepared | Unfit>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + DOCUMENT_WEIGHT,
  });

  const look = (text: string): Prepared | Unfit => {
    const known = cache.get(text);
    if (known) return known;
    const looked = prepareDocument(schema, text);
    // Failures are cached too: a client that repeats a broken document costs nothing.
    if (text.length <= MAX_CACHED_DOCUMENT) cache.set(text, looked);
    return looked;
  };

  return async (params, ctx, ways = {}) => {
    const prepared = look(params.query);
    if ('faults' in prepared) return refused(ctx, prepared.faults, prepared.code);
    const operation = chooseOperation(schema, prepared, params.operationName, ctx, ways);
    if ('answer' in operation) return operation;
    if (ctx.query && operation.name) ctx.query.operation = operation.name.value.slice(0, MAX_NAME);

    const given = params.variables ?? {};
    // graphql-jit does not enforce `@oneOf` on variables, so they are coerced by the reference implementation first.
    const variables = readVariables(schema, operation.variableDefinitions ?? [], given, {
      maxIssues: maxErrorsOf(given),
      hideSuggestions: ctx.actor.kind === 'anonymous',
    });
    if ('fault' in variables) return refused(ctx, [variables.fault], 'BAD_USER_INPUT');
    const known = operationOf(schema, prepared, operation);
    const cost = known.costOf(variables.coerced);
    if (cost > maxCost) return refused(ctx, [tooExpensive(cost, maxCost)], 'QUERY_TOO_COMPLEX');
    if (ctx.query) ctx.query.cost = cost;
    return run({ schema, document: prepared.document, operation, given }, known, ctx, compileFrom);
  };
}

interface Request {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  given: Record<string, unknown>;
}

async function run(
  { schema, document, operation, given }: Request,
  known: PreparedOperation,
  ctx: Context,
  compileFrom: number,
): Promise<GraphQLOutcome> {
  const request = { schema, document, operationName: operation.name?.value };
  if (operation.operation === 'subscription') {
    const subscription = makeSubscription({ ...request, variables: given });
    return { answer: {}, stage: 'executed', subscription };
  }
  if (operation.operation === 'query') ctx.work?.readsForClient();
  known.uses++;
  if (known.compiled === undefined && known.uses >= compileFrom)
    known.compiled = compiled(schema, document, request.operationName);
  const result = known.compiled
    ? await execution(known.compiled, ctx, given)
    : await execute({ ...request, variableValues: given, contextValue: ctx });
  return outcome(result, operation, ctx);
}

/** Null where the compiler does not take it. */
function compiled(schema: GraphQLSchema, document: DocumentNode, name: string | undefined): CompiledQuery | null {
  const result = compileQuery(schema, document, name);
  return isCompiledQuery(result) ? result : null;
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

/** Throws when the database could not answer now, unless a mutation has done a part: then its client is to learn which. */
function outcome({ data, errors }: ExecutionResult, operation: OperationDefinitionNode, ctx: Context): GraphQLOutcome {
  const isPart = operation.operation !== 'query' && Object.values(data ?? {}).some((value) => value !== null);
  const unavailable = isPart ? undefined : errors?.map((error) => unavailabilityOf(causeOf(error))).find(Boolean);
  if (unavailable) throw unavailable;
  const shown = errors?.map((error) => formatError(error, ctx, isOfArgument(error) ? 'BAD_USER_INPUT' : undefined));
  return { answer: { ...(shown && shown.length > 0 ? { errors: boundErrors(shown) } : {}), data }, stage: 'executed' };
}

/**
 * While a request runs, the one fault of its own that is left is a variable without a value at an argument that needs
 * one (October 2021 Edition, 6.4.1). A null or a value that the schema does not allow is our fault.
 */
const isOfArgument = ({ message }: GraphQLError) => message.startsWith('Argument "');

const tooExpensive = (cost: number, maxCost: number) =>
  new GraphQLError(
    `This may answer ${cost} objects; at most ${maxCost} are taken. Ask for fewer items of its lists (first, last).`,
  );
