import { inspect } from 'node:util';
import { execute, type GraphQLFormattedError, getOperationAST, parse } from 'graphql';
import pino from 'pino';
import { withShareKeys } from '../src/platform/access/visitors.ts';
import type { Context } from '../src/platform/context/context.ts';
import { formatError } from '../src/platform/graphql/request/errors.ts';
import type { GraphQLResponse } from '../src/platform/graphql/request/outcome.ts';
import type { CheckedParams } from '../src/platform/graphql/request/params.ts';
import type { RunGraphQL } from '../src/platform/graphql/request/run-graphql.ts';
import { shareKeysIn } from '../src/platform/graphql/request/share-keys.ts';
import { schema } from '../src/schema.ts';
import { isThorough } from './how-thorough.ts';

/** How often a query is asked again, since another request may write between the two answers. */
const ATTEMPTS = 5;

/**
 * How many responses to a document each process compares, and as many with errors and with other kinds of variables.
 * Many tests send the same document hundreds of times.
 */
const COMPARED = isThorough ? Number.POSITIVE_INFINITY : 2;

/**
 * Lets the reference implementation answer queries a second time, and fails the request when the compiled query
 * answered anything else. Mutations run once.
 */
export function comparedWithReference(run: RunGraphQL): RunGraphQL {
  return async (params, ctx, options) => {
    const outcome = await run(params, ctx, options);
    if (outcome.stage !== 'executed' || !isDue(params, outcome.response) || !isQuery(params)) return outcome;
    let [ours, theirs] = [outcome.response, await reference(params, ctx)];
    for (let attempt = 1; !agree(ours, theirs); attempt++) {
      if (attempt === ATTEMPTS) throw new Error(`The executors differ.\n${inspect({ ours, theirs }, { depth: null })}`);
      ours = (await run(params, unmetered(ctx), options)).response;
      theirs = await reference(params, ctx);
    }
    return outcome;
  };
}

const compared = new Map<string, number>();

/** Whether the process has compared fewer responses of this kind to a document than it should. */
function isDue({ query, operationName, variables }: CheckedParams, { errors }: GraphQLResponse): boolean {
  const kinds = Object.entries(variables ?? {}).map(([name, value]) => [name, kindOf(value)]);
  const key = JSON.stringify([operationName, errors !== undefined, kinds, query]);
  const times = compared.get(key) ?? 0;
  compared.set(key, times + 1);
  return times < COMPARED;
}

/** What directives and defaults depend on. */
const kindOf = (value: unknown) => (typeof value === 'boolean' || value === null ? value : typeof value);

const isQuery = ({ query, operationName }: CheckedParams) =>
  getOperationAST(parse(query), operationName)?.operation === 'query';

async function reference({ query, operationName, variables }: CheckedParams, ctx: Context): Promise<GraphQLResponse> {
  const document = parse(query);
  const { data, errors } = await execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: await withShareKeys(unmetered(ctx), shareKeysIn(document)(variables ?? {})),
  });
  const isOfArgument = (message: string) => message.startsWith('Argument "');
  const shown = errors?.map((error) =>
    formatError(error, { ...ctx, log: SILENT }, isOfArgument(error.message) ? 'BAD_USER_INPUT' : undefined),
  );
  return { ...(shown ? { errors: shown } : {}), data };
}

const SILENT = pino({ level: 'silent' });

/** A context of its own, with loaders of its own, whose statements are not counted. */
const unmetered = (ctx: Context): Context => ({ ...ctx, db: ctx.services.db, meter: undefined });

/**
 * The same data in the same order. Where siblings fail together, the reference reports one of their errors and the
 * service reports all. A response of the service has a limited number of errors.
 */
function agree(ours: GraphQLResponse, theirs: GraphQLResponse): boolean {
  const [told, expected] = [placesOf(ours), placesOf(theirs)];
  const isCut = (ours.errors ?? []).some(({ message }) => message.endsWith(' more are not shown.'));
  const isTold = told.size > 0 === expected.size > 0 && (isCut || expected.isSubsetOf(told));
  return isTold && JSON.stringify(ours.data) === JSON.stringify(theirs.data);
}

const placesOf = ({ errors = [] }: GraphQLResponse) =>
  new Set(
    errors.map(({ message, path = [], extensions }: GraphQLFormattedError) =>
      JSON.stringify([path, message, extensions]),
    ),
  );
