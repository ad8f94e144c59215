import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { isPublicCaller } from '../access/actor.ts';
import { withShareKeys } from '../access/visitors.ts';
import type { Context } from '../context.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { ApiError } from '../errors.ts';
import { notedWeight, noteWeight } from '../json-weight.ts';
import { admitted } from '../rate-limit/admission.ts';
import { chooseOperation, type Ways } from './choose-operation.ts';
import { boundErrors, causeOf, formatError } from './errors.ts';
import { compileOperation } from './execution/compile-operation.ts';
import type { GraphQLOutcome } from './outcome.ts';
import type { CheckedParams } from './params.ts';
import { operationOf, type Prepared, type PreparedOperation, prepareDocument, type Unfit } from './prepare-document.ts';
import { readVariables } from './read-variables.ts';
import { refused } from './refused.ts';
import { makeSubscription } from './subscription.ts';
import { maxErrorsOf } from './variable-limits.ts';

/** Runs a request. `readOnly` rejects mutations, as required for GET (GraphQL over HTTP, 6.2.1). */
export type RunGraphQL = (params: CheckedParams, ctx: Context, ways?: Ways) => Promise<GraphQLOutcome>;

export interface RunOptions {
  /** Maximum cost of an operation, see `cost.ts`. */
  maxCost?: number;
  /** Number of uses before an operation is compiled, which takes longer than running it once. Infinity: never. */
  compileFrom?: number;
}

/** Size of the cache in characters of documents. A compiled document takes about 150 bytes of memory per character. */
const CACHED_CHARACTERS = 400_000;
/** Fixed size of a document in the cache, in characters. */
const DOCUMENT_WEIGHT = 100;
/** Size of a compiled field, in characters. */
const FIELD_WEIGHT = 5;
/** Maximum length of an operation's name in the log. */
const MAX_NAME = 100;
/** Longer documents are not cached, since repeated documents are usually short. */
const MAX_CACHED_DOCUMENT = 16_384;

/**
 * Makes the function that runs GraphQL requests: parses, validates and compiles documents (with a bounded cache by their
 * text), enforces limits, executes, and masks errors.
 */
export function makeRunGraphQL(schema: GraphQLSchema, options: RunOptions = {}): RunGraphQL {
  const { maxCost = Number.POSITIVE_INFINITY, compileFrom = 1 } = options;
  const cache = new LRUCache<string, Prepared | Unfit>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (looked, text) =>
      text.length + DOCUMENT_WEIGHT + ('compiledFields' in looked ? looked.compiledFields * FIELD_WEIGHT : 0),
  });

  const look = (text: string): Prepared | Unfit => {
    const known = cache.get(text);
    if (known) return known;
    const looked = prepareDocument(schema, text);
    // Errors are cached too, so that repeating an invalid document is cheap.
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
    const variables = readVariables(schema, operation.variableDefinitions ?? [], given, {
      maxIssues: maxErrorsOf(given),
      hideSuggestions: isPublicCaller(ctx.actor),
    });
    if ('fault' in variables) return refused(ctx, [variables.fault], 'BAD_USER_INPUT');
    const known = operationOf(schema, prepared, operation);
    const cost = known.costOf(variables.coerced);
    if (cost > maxCost) return refused(ctx, [tooExpensive(cost, maxCost)], 'QUERY_TOO_COMPLEX');
    if (ctx.query) ctx.query.cost = cost;
    const request = { schema, document: prepared.document, operation, given, coerced: variables.coerced };
    if (operation.operation === 'query') ctx.work?.readsForClient();
    // Items of lists are charged when their number is known (`list-budget.ts`).
    return admitted(ctx, known.knownCostOf(variables.coerced), async () =>
      run(request, known, await withShareKeys(ctx, known.shareKeysOf(variables.coerced)), compileFrom),
    );
  };
}

interface Request {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The variables of the request, and the same coerced. */
  given: Record<string, unknown>;
  coerced: Record<string, unknown>;
}

async function run(
  { schema, document, operation, given, coerced }: Request,
  known: PreparedOperation,
  ctx: Context,
  compileFrom: number,
): Promise<GraphQLOutcome> {
  const request = { schema, document, operationName: operation.name?.value };
  if (operation.operation === 'subscription') {
    const cost = known.knownCostOf(coerced);
    const subscription = makeSubscription({ ...request, variables: given, cost });
    return { answer: {}, stage: 'executed', subscription };
  }
  known.uses++;
  if (known.compiled === undefined && known.uses >= compileFrom)
    known.compiled = compileOperation(schema, document, operation);
  const result = known.compiled?.run(ctx, coerced) ?? execute({ ...request, variableValues: given, contextValue: ctx });
  return outcome(await result, operation, ctx);
}

/**
 * Throws if the database is unavailable or the caller has exceeded a rate, except for mutations, which may have been
 * executed in part.
 */
function outcome(result: ExecutionResult, operation: OperationDefinitionNode, ctx: Context): GraphQLOutcome {
  const { data, errors } = result;
  const isPart = operation.operation !== 'query' && Object.values(data ?? {}).some((value) => value !== null);
  const unavailable = isPart ? undefined : errors?.map((error) => stopping(causeOf(error))).find(Boolean);
  if (unavailable) throw unavailable;
  const shown = errors?.map((error) => formatError(error, ctx, isOfArgument(error) ? 'BAD_USER_INPUT' : undefined));
  const answer = { ...(shown && shown.length > 0 ? { errors: boundErrors(shown) } : {}), data };
  const weight = notedWeight(result);
  if (weight !== undefined) noteWeight(answer, weight);
  return { answer, stage: 'executed' };
}

const stopping = (error: unknown): ApiError | undefined =>
  error instanceof ApiError && error.code === 'RATE_LIMITED' ? error : unavailabilityOf(error);

/**
 * The only request error that can occur during execution: a variable without a value for a required argument (GraphQL
 * October 2021, 6.4.1). Other errors in values are internal errors.
 */
const isOfArgument = ({ message }: GraphQLError) => message.startsWith('Argument "');

const tooExpensive = (cost: number, maxCost: number) =>
  new GraphQLError(
    `This operation can return ${cost} objects. At most ${maxCost} are allowed. Request fewer items of lists (first, last).`,
  );
