import { type DocumentNode, execute, GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { compileOperation, type SizedResult, type SizeEstimate } from '../../../lib/graphql-executor/index.ts';
import { storeWeight, VALUE_WEIGHT, weigh } from '../../../lib/json-weight.ts';
import { isPublicCaller } from '../../access/actor.ts';
import { withShareKeys } from '../../access/visitors.ts';
import type { Context } from '../../context/context.ts';
import { unavailabilityOf } from '../../database/unavailable.ts';
import { ApiError } from '../../errors/errors.ts';
import { runAdmitted } from '../../query-cost/admission.ts';
import { chooseOperation, type TransportCapabilities } from './choose-operation.ts';
import { coerceVariables } from './coerce-variables.ts';
import { DocumentCache } from './document-cache.ts';
import { boundErrors, causeOf, formatError } from './errors.ts';
import type { GraphQLOutcome } from './outcome.ts';
import type { CheckedParams } from './params.ts';
import { type PreparedOperation, preparedOperation } from './prepare-document.ts';
import { rejectionOutcome } from './rejection-outcome.ts';
import { makeSubscription } from './subscription.ts';

/** Runs a request. */
export type RunGraphQL = (
  params: CheckedParams,
  ctx: Context,
  transport?: TransportCapabilities,
) => Promise<GraphQLOutcome>;

export interface RunOptions {
  /** Maximum cost of an operation, see `cost.ts`. */
  maxCost?: number;
  /** Number of uses before an operation is compiled. Infinity: `execute` of graphql-js runs all operations. */
  compileFrom?: number;
}

/** How the executor estimates the size of a result, which `write-json.ts` reads. */
const SIZE: SizeEstimate = { perValue: VALUE_WEIGHT, of: weigh };
/** Maximum length of an operation's name in the log. */
const MAX_NAME = 100;

/**
 * Returns the function that runs GraphQL requests: it parses and validates documents (with a cache), enforces limits,
 * executes, and masks errors.
 */
export function makeRunGraphQL(schema: GraphQLSchema, options: RunOptions = {}): RunGraphQL {
  const { maxCost = Number.POSITIVE_INFINITY, compileFrom = 1 } = options;
  const documents = new DocumentCache(schema);
  return async (params, ctx, transport = {}) => {
    const document = documents.prepare(params.query);
    if ('errors' in document) return rejectionOutcome(ctx, document.errors, document.code);
    const operation = chooseOperation(schema, document, params.operationName, ctx, transport);
    if ('response' in operation) return operation;
    if (ctx.callSummary && operation.name) ctx.callSummary.operation = operation.name.value.slice(0, MAX_NAME);

    const inputs = params.variables ?? {};
    const hideSuggestions = isPublicCaller(ctx.actor);
    const variables = coerceVariables(schema, operation.variableDefinitions ?? [], inputs, { hideSuggestions });
    if ('error' in variables) return rejectionOutcome(ctx, [variables.error], 'BAD_USER_INPUT');
    const { coerced } = variables;
    const prepared = preparedOperation(schema, document, operation);
    const cost = prepared.costOf(coerced);
    if (cost > maxCost) return rejectionOutcome(ctx, [tooExpensive(cost, maxCost)], 'QUERY_TOO_COMPLEX');
    if (ctx.callSummary) ctx.callSummary.cost = cost;
    if (operation.operation === 'query') ctx.deadline?.endsWithClient();
    const request = { schema, document: document.document, operation, inputs, coerced };
    // `charge-lists.ts` charges the items of other lists when their number is known.
    const keyed = await withShareKeys(ctx, prepared.shareKeysOf(coerced));
    return runAdmitted(keyed, prepared.fixedCostOf(coerced), () => run(request, prepared, keyed, compileFrom));
  };
}

interface Request {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The variables of the request, and the same coerced. */
  inputs: Record<string, unknown>;
  coerced: Record<string, unknown>;
}

async function run(
  { schema, document, operation, inputs, coerced }: Request,
  prepared: PreparedOperation,
  ctx: Context,
  compileFrom: number,
): Promise<GraphQLOutcome> {
  const request = { schema, document, operationName: operation.name?.value };
  if (operation.operation === 'subscription') {
    const cost = prepared.fixedCostOf(coerced);
    const shareKeys = prepared.shareKeysOf(coerced);
    const subscription = makeSubscription({ ...request, variables: inputs, cost, shareKeys });
    return { response: {}, stage: 'executed', subscription };
  }
  prepared.uses++;
  if (prepared.compiled === undefined && prepared.uses >= compileFrom)
    prepared.compiled = compileOperation(schema, document, operation, { size: SIZE });
  const compiled = prepared.compiled?.run(ctx, coerced);
  if (compiled) return outcome(await compiled, operation, ctx);
  const result = await execute({ ...request, variableValues: inputs, contextValue: ctx });
  return outcome({ result, size: undefined }, operation, ctx);
}

/**
 * Throws if the database is unavailable or the caller has exceeded a rate, except for mutations, which may have been
 * executed in part.
 */
function outcome({ result, size }: SizedResult, operation: OperationDefinitionNode, ctx: Context): GraphQLOutcome {
  const { data, errors } = result;
  const isPart = operation.operation !== 'query' && Object.values(data ?? {}).some((value) => value !== null);
  const unavailable = isPart ? undefined : errors?.map((error) => stopping(causeOf(error))).find(Boolean);
  if (unavailable) throw unavailable;
  const formatted = errors?.map((error) => formatError(error, ctx, isOfArgument(error) ? 'BAD_USER_INPUT' : undefined));
  const response = { ...(formatted && formatted.length > 0 ? { errors: boundErrors(formatted) } : {}), data };
  if (size !== undefined) storeWeight(response, size);
  return { response, stage: 'executed' };
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
