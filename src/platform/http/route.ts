import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import { type CommandOptions, type Operation, parse } from '../operation/operation.ts';
import { errorOfResult } from '../operation/result-gone.ts';
import type { Listed } from '../paging/page.ts';
import { restPage, restPagingQuery } from '../paging/rest.ts';
import { runAdmitted } from '../query-cost/admission.ts';
import { forgetRequestCache } from '../reads/request-cache.ts';
import type { Preload, Resource } from '../resource/field.ts';
import { presentAll, present as presentResource, shapeOf } from '../resource/rest.ts';
import { answerVersioned, isUnchanged } from './conditional-requests.ts';
import {
  checkProperties,
  commandOptionsOf,
  type InputOptions,
  type RestInput,
  rawInput,
  runOperation,
} from './route-input.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route of REST. Made by `route`, `listRoute` or `rawRoute`. */
export interface Route {
  method: Method;
  /** With `:name` for parameters, in Fastify's syntax. */
  path: string;
  /** Operation id in the public API. */
  operationId: string;
  operation?: Operation;
  /** The body is not parsed but passed on as a stream of up to this many bytes. */
  streamedBody?: number;
  /** Makes the input of the operation, if renaming is not enough. */
  toInput?: ((values: Record<string, unknown>, raw: RestInput) => unknown) | undefined;
  /** Maximum size of a JSON body without an access token, in bytes. Default 64 kB. */
  anonymousBody?: number;
  readonly about: RouteDescription;
  /**
   * Returns what the route answers, without HTTP: for endpoints of other protocols that show the same. Undefined for
   * routes whose responses are not JSON.
   */
  call?(input: RestInput, ctx: Context, commandOptions?: CommandOptions): Promise<unknown>;
  handle(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown>;
}

/** The OpenAPI description of a route, besides the one of its operation. */
export interface RouteDescription {
  /** Overrides the description of the operation. */
  description?: string;
  /** Names in REST of properties of the operation's input, if they differ. */
  rename?: Readonly<Record<string, string>>;
  /** Properties of the operation's input that the route sets itself. Requests cannot. */
  sets?: readonly string[];
  /** Schema of the JSON body, if it is more than the operation's input with other names. */
  body?: z.ZodObject;
  /** The body is one such object or an array of them. */
  bodyOrList?: true;
  /** The body is a file. */
  takesBytes?: true;
  /** Query parameters besides the properties of the operation's input. */
  query?: z.ZodObject;
  /** Schema of the response body, if there is one. Called after all modules are loaded. */
  shape?: () => z.ZodType;
  /** The response is a file: one that is stored, or one that is printed. */
  givesBytes?: 'stored' | 'printed';
  /** The response has one object of the shape a line, as newline-delimited JSON. */
  isLines?: true;
  /** When the route answers with a redirect (302) instead. */
  redirects?: string;
  /** Statuses of success, the usual one first. */
  statuses: readonly number[];
  /** Those of `statuses` whose responses have no body, if others have one. */
  bodiless?: readonly number[];
  isList?: true;
  /** Properties of a list besides its items. */
  extra?: z.ZodObject;
  /** The list has no count. */
  isUncounted?: true;
  /** The query or the body names a resource that may be absent. */
  mayBeAbsent?: true;
  /** The response has an entity tag without being a versioned resource. */
  isTagged?: true;
}

/** The options that the OpenAPI description has as they are written. */
const DESCRIBED = [
  'description',
  'rename',
  'sets',
  'body',
  'bodyOrList',
  'query',
  'mayBeAbsent',
  'isLines',
  'bodiless',
] as const satisfies (keyof RouteDescription)[];

type Described = Pick<RouteDescription, Exclude<(typeof DESCRIBED)[number], keyof InputOptions<z.ZodObject>>>;

/** What a route answers, and how it makes the input of its operation. */
interface RouteOptions<Input extends z.ZodObject, Output> extends InputOptions<Input>, Described {
  operationId: string;
  /** The resource in the response. Defines `present` and `shape`. */
  response?: ResourceResponse<Output>;
  /** Makes the response body. Without it, there is none. Null for statuses without a body. */
  present?(output: Output, ctx: Context, raw: RestInput): unknown;
  /** Default 200, or 204 without `present`. A function needs `statuses`. */
  status?: number | ((output: Output) => number);
  statuses?: readonly number[];
  headers?(output: Output, ctx: Context, raw: RestInput): Record<string, string> | Promise<Record<string, string>>;
  /**
   * The entity tag of the response, made by `immutableTag` from what determines it. Runs after the operation, which
   * checks permissions, and before `present`: a read with this tag is 304 without reading what the response would
   * contain.
   */
  etag?(output: Output, ctx: Context, raw: RestInput): string | Promise<string>;
  /** Schema of the result of `present`. */
  shape?: z.ZodType | (() => z.ZodType);
}

/** A response with a resource. Made by `resourceResponse`. */
export interface ResourceResponse<Output> {
  readonly shape: () => z.ZodType;
  readonly present: (output: Output, ctx: Context, raw: RestInput) => unknown;
  /** Loads what rows need before they are presented. */
  readonly preload?: Preload<Output> | undefined;
  /** Presents the rows of a list, with what they need. Undefined if each is presented by itself. */
  readonly presentAll?: ((rows: readonly Output[], ctx: Context) => Promise<unknown[]>) | undefined;
}

/**
 * Answers with a resource; `row` makes its row from the operation's result and, for query parameters such as `format`,
 * the request.
 */
export function resourceResponse<Row>(resource: Resource<Row>): ResourceResponse<Row>;
export function resourceResponse<Row, Output>(
  resource: Resource<Row>,
  row: (output: Output, ctx: Context, raw: RestInput) => Row | Promise<Row>,
): ResourceResponse<Output>;
export function resourceResponse<Row, Output>(
  resource: Resource<Row>,
  row?: (output: Output, ctx: Context, raw: RestInput) => Row | Promise<Row>,
): ResourceResponse<Output> {
  return {
    shape: () => shapeOf(resource),
    preload: row ? undefined : (resource.preload as Preload<Output> | undefined), // the first signature
    presentAll: row
      ? undefined
      : (rows, ctx) => presentAll(resource as Resource<object>, rows as unknown as object[], ctx), // as above
    present: async (output, ctx, raw) =>
      presentResource(resource, row ? await row(output, ctx, raw) : (output as unknown as Row), ctx), // the first signature
  };
}

/**
 * A route of an operation. The input consists of the body, the query (converted to the types of the schema) and the
 * path, in ascending precedence. Commands support `Idempotency-Key` and `If-Match`. The request's cache is cleared
 * after them.
 */
export function route<Input extends z.ZodObject, Output>(
  method: Method,
  path: string,
  operation: Operation<Input, Output>,
  options: RouteOptions<Input, Output>,
): Route {
  const { operationId, status } = options;
  const present = options.present ?? options.response?.present;
  const presented = async (output: Output, ctx: Context, raw: RestInput) => {
    if (!present) return null;
    await options.response?.preload?.(ctx, [output]);
    return present(output, ctx, raw);
  };
  /**
   * Runs what reads the result. Where a command's result is missing by then, the error says that the command has run.
   */
  const readResult = async <Value>(ctx: Context, read: () => Promise<Value>): Promise<Value> => {
    if (operation.kind !== 'command') return read();
    forgetRequestCache(ctx);
    try {
      return await read();
    } catch (error) {
      throw errorOfResult(error, 'operation');
    }
  };
  return {
    method,
    path,
    operationId,
    operation: operation as unknown as Operation, // routes of all operations are listed together
    toInput: options.toInput,
    about: {
      ...described(options),
      statuses: options.statuses ?? [typeof status === 'number' ? status : usualStatus(present)],
    },
    async call(raw, ctx, commandOptions) {
      const output = await runOperation(operation, options, raw, ctx, commandOptions);
      return readResult(ctx, () => presented(output, ctx, raw));
    },
    async handle(request, reply, ctx) {
      const raw = rawInput(request);
      await checkProperties(request, reply, ctx, this);
      const output = await runOperation(
        operation,
        options,
        raw,
        ctx,
        operation.kind === 'command' ? commandOptionsOf(request) : undefined,
      );
      return readResult(ctx, async () => {
        if (options.headers) reply.headers(await options.headers(output, ctx, raw));
        reply.status((typeof status === 'function' ? status(output) : status) ?? usualStatus(present));
        if (options.etag && isUnchanged(request, reply, await options.etag(output, ctx, raw))) return null;
        return present ? answerVersioned(request, reply, await presented(output, ctx, raw)) : null;
      });
    },
  };
}

/**
 * A route of a list operation. The rows of a page are presented concurrently, so that loaders can batch. Rows that are
 * presented as undefined, because they no longer exist, are omitted.
 */
export function listRoute<Input extends z.ZodObject, Row, List extends Listed<Row> = Listed<Row>>(
  path: string,
  operation: Operation<Input, List>,
  options: Omit<RouteOptions<Input, Row>, 'present' | 'status' | 'headers' | 'toInput'> & {
    /** POST for lists whose input is a body. Default GET. */
    method?: 'GET' | 'POST';
    toInput?(values: Record<string, unknown>, raw: RestInput): z.input<Input>;
    present?(row: Row, ctx: Context, raw: RestInput): unknown;
    /** Properties of the list besides its items. */
    stats?: { shape: z.ZodObject; present(list: List, ctx: Context): Promise<Record<string, unknown>> };
    isUncounted?: true;
  },
): Route {
  const { stats } = options;
  const presentRow = options.present ?? options.response?.present;
  const presentRows = options.present ? undefined : options.response?.presentAll;
  if (!presentRow) throw new Error(`${options.operationId}: listRoute() needs "response" or "present".`);
  const call = async (raw: RestInput, ctx: Context) => {
    const listed = await runOperation(operation, options, raw, ctx);
    const paging = parsePaging(raw.query);
    const present = async (rows: Row[]) => {
      if (presentRows) return presentRows(rows, ctx);
      await options.response?.preload?.(ctx, rows);
      const items = await Promise.all(rows.map((row) => presentRow(row, ctx, raw)));
      return items.filter((item) => item !== undefined);
    };
    const read = () => Promise.all([stats?.present(listed, ctx), restPage(listed, paging, present)]);
    const [more, page] = await runAdmitted(ctx, paging.limit, read);
    return { ...page, ...more };
  };
  return {
    method: options.method ?? 'GET',
    path,
    operationId: options.operationId,
    operation: operation as unknown as Operation,
    toInput: options.toInput,
    about: {
      ...described(options),
      statuses: [200],
      isList: true,
      ...(stats && { extra: stats.shape }),
      ...(options.isUncounted && { isUncounted: true }),
    },
    async handle(request, reply, ctx) {
      const raw = rawInput(request);
      await checkProperties(request, reply, ctx, this);
      const page = await call(raw, ctx);
      reply.status(200);
      return page;
    },
    call,
  };
}

/** A route without an operation's input and output, such as streams and web pages. */
export const rawRoute = (
  method: Method,
  path: string,
  operationId: string,
  handle: Route['handle'],
  options: Pick<Route, 'streamedBody' | 'operation' | 'about'>,
): Route => ({ method, path, operationId, handle, ...options });

const usualStatus = (present: unknown) => (present ? 200 : 204);

/** The options for the OpenAPI description. */
function described<Input extends z.ZodObject, Output>(options: RouteOptions<Input, Output>) {
  const { etag, response, shape = response?.shape } = options;
  const written = DESCRIBED.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  return {
    ...(Object.fromEntries(written) as Pick<RouteDescription, (typeof DESCRIBED)[number]>), // the same names
    ...(etag && { isTagged: true as const }),
    ...(shape && { shape: typeof shape === 'function' ? shape : () => shape }),
  };
}

function parsePaging(query: Record<string, unknown>): z.output<typeof restPagingQuery> {
  return parse(restPagingQuery, query);
}
