import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import { ApiError, type Issue, type IssueInRest, invalidInput } from '../errors/errors.ts';
import { type Operation, parse, type Terms } from '../operation/operation.ts';
import type { Listed } from '../paging/page.ts';
import { restPage, restPagingQuery } from '../paging/rest.ts';
import { admitted } from '../rate-limit/admission.ts';
import { forgetRequestCache } from '../reads/request-cache.ts';
import type { Preload, Resource } from '../resource/field.ts';
import { presentAll, present as presentResource, shapeOf } from '../resource/rest.ts';
import { coerceQuery } from './coerce-query.ts';
import { answerVersioned, isUnchanged, versionsIn } from './conditional.ts';
import { bodySchemaOf, ignoredProperties, reportIgnoredProperties, unknownProperties } from './ignored-properties.ts';
import { BrokenJson } from './limits/parse-json.ts';
import { PREFERENCE_APPLIED, prefers } from './prefer.ts';

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
  toInput?: ((given: Record<string, unknown>, raw: RestInput) => unknown) | undefined;
  /** Maximum size of a JSON body without an access token, in bytes. Default 64 kB. */
  anonymousBody?: number;
  readonly about: RouteDescription;
  /**
   * Returns what the route answers, without HTTP: for endpoints of other protocols that show the same. Undefined for routes
   * whose answers are not JSON.
   */
  call?(given: RestInput, ctx: Context, terms?: Terms): Promise<unknown>;
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
  /** The response is a file. */
  givesBytes?: true;
  /** The response has one object of the shape a line, as newline-delimited JSON. */
  isLines?: true;
  /** When the route answers with a redirect (302) instead. */
  redirects?: string;
  /** Statuses of success, the usual one first. */
  statuses: readonly number[];
  /** Those of them whose responses have no body, although others have one. */
  bodiless?: readonly number[];
  isList?: true;
  /** Properties of a list besides its items. */
  beside?: z.ZodObject;
  /** The list has no count. */
  isUncounted?: true;
  /** The query or the body names a resource that may be absent. */
  mayBeAbsent?: true;
  /** The response has an entity tag without being a versioned resource. */
  isTagged?: true;
}

interface RouteOptions<Input extends z.ZodObject, Output> {
  operationId: string;
  /** Overrides the description of the operation. */
  description?: string;
  /** The resource in the response. Defines `present` and `shape`. */
  answers?: Answer<Output>;
  /** Makes the response body. Without it, there is none. */
  present?(output: Output, ctx: Context, raw: RestInput): unknown;
  /** Default 200, or 204 without `present`. */
  status?: number | ((output: Output) => number);
  /** Names in REST of properties of the input, if they differ: `{ parent: 'parentId' }`. */
  rename?: Record<string, keyof z.input<Input> & string>;
  /** Properties of the input that `toInput` sets, so that requests cannot. */
  sets?: readonly (keyof z.input<Input> & string)[];
  /** Names in REST of nested properties, down to the fourth part of a path. `toInput` converts them. Used in paths of issues. */
  renameInside?: Record<string, string>;
  /** Converts the path of an issue to the request. Undefined if renaming is enough. */
  issueInRest?(issue: Issue, raw: RestInput): IssueInRest | undefined;
  /** Makes the input if renaming is not enough. Parameters of path, query and body are already merged. */
  toInput?(given: Record<string, unknown>, raw: RestInput): z.input<Input>;
  headers?(output: Output, ctx: Context, raw: RestInput): Record<string, string> | Promise<Record<string, string>>;
  /**
   * The entity tag of the response, made by `immutableTag` from what determines it. Runs after the operation, which checks
   * permissions, and before `present`: a read with this tag is 304 without reading what the response would contain.
   */
  etag?(output: Output, ctx: Context, raw: RestInput): string | Promise<string>;
  /** Schema of the result of `present`. */
  shape?: z.ZodType | (() => z.ZodType);
  /** All statuses of success, if `status` is a function. */
  statuses?: readonly number[];
  /** Those of them for which `present` returns null. */
  bodiless?: readonly number[];
  /** Schema of the body, if `toInput` converts it. */
  body?: z.ZodObject;
  /** The body can also be an array of objects of this schema, which `toInput` reads from the request. */
  bodyOrList?: true;
  /** Query parameters that `present` reads. */
  query?: z.ZodObject;
  /** `present` returns a stream with one object of the shape a line, as newline-delimited JSON. */
  isLines?: true;
  /** The query or the body names a resource, so that the response can be 404 without a parameter in the path. */
  mayBeAbsent?: true;
}

/** A response with a resource. Made by `answering`. */
export interface Answer<Output> {
  readonly shape: () => z.ZodType;
  readonly present: (output: Output, ctx: Context, raw: RestInput) => unknown;
  /** Loads what rows need before they are presented. */
  readonly preload?: Preload<Output> | undefined;
  /** Presents the rows of a list, with what they need. Undefined if each is presented alone. */
  readonly presentAll?: ((rows: readonly Output[], ctx: Context) => Promise<unknown[]>) | undefined;
}

/** Answers with a resource; `row` makes its row from the operation's result and, for query parameters such as `format`, the request. */
export function answering<Row>(resource: Resource<Row>): Answer<Row>;
export function answering<Row, Output>(
  resource: Resource<Row>,
  row: (output: Output, ctx: Context, raw: RestInput) => Row | Promise<Row>,
): Answer<Output>;
export function answering<Row, Output>(
  resource: Resource<Row>,
  row?: (output: Output, ctx: Context, raw: RestInput) => Row | Promise<Row>,
): Answer<Output> {
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

export interface RestInput {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  body: unknown;
  /** Whether the client wants long work to go on in the background: `Prefer: respond-async` (RFC 7240, 4.1). */
  prefersAsync: boolean;
}

/**
 * A route of an operation. The input consists of the body, the query (converted to the types of the schema) and the path,
 * in ascending precedence. Commands support `Idempotency-Key` and `If-Match`. The request's cache is cleared after them.
 */
export function route<Input extends z.ZodObject, Output>(
  method: Method,
  path: string,
  operation: Operation<Input, Output>,
  options: RouteOptions<Input, Output>,
): Route {
  const { operationId, status } = options;
  const present = options.present ?? options.answers?.present;
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
    async call(raw, ctx, terms) {
      const output = await run(operation, options, raw, ctx, terms);
      if (operation.kind === 'command') forgetRequestCache(ctx);
      if (!present) return null;
      await options.answers?.preload?.(ctx, [output]);
      return present(output, ctx, raw);
    },
    async handle(request, reply, ctx) {
      const raw = rawInput(request);
      await checkProperties(request, reply, ctx, this);
      const output = await run(
        operation,
        options,
        raw,
        ctx,
        operation.kind === 'command' ? termsOf(request) : undefined,
      );
      if (operation.kind === 'command') forgetRequestCache(ctx);
      if (options.headers) reply.headers(await options.headers(output, ctx, raw));
      reply.status((typeof status === 'function' ? status(output) : status) ?? usualStatus(present));
      if (options.etag && isUnchanged(request, reply, await options.etag(output, ctx, raw))) return null;
      if (!present) return null;
      await options.answers?.preload?.(ctx, [output]);
      return answerVersioned(request, reply, await present(output, ctx, raw));
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
    toInput?(given: Record<string, unknown>, raw: RestInput): z.input<Input>;
    present?(row: Row, ctx: Context, raw: RestInput): unknown;
    /** Properties of the list besides its items. */
    stats?: { shape: z.ZodObject; present(list: List, ctx: Context): Promise<Record<string, unknown>> };
    isUncounted?: true;
  },
): Route {
  const { stats } = options;
  const presentRow = options.present ?? options.answers?.present;
  const presentRows = options.present ? undefined : options.answers?.presentAll;
  if (!presentRow) throw new Error(`${options.operationId}: a list shows its rows by "answers" or by "present".`);
  const call = async (raw: RestInput, ctx: Context) => {
    const listed = await run(operation, options, raw, ctx);
    const paging = parsePaging(raw.query);
    const present = async (rows: Row[]) => {
      if (presentRows) return presentRows(rows, ctx);
      await options.answers?.preload?.(ctx, rows);
      const items = await Promise.all(rows.map((row) => presentRow(row, ctx, raw)));
      return items.filter((item) => item !== undefined);
    };
    const read = () => Promise.all([stats?.present(listed, ctx), restPage(listed, paging, present)]);
    const [more, page] = await admitted(ctx, paging.limit, read);
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
      ...(stats && { beside: stats.shape }),
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

/** The options of a command in the headers of a request. */
export const termsOf = ({ headers }: FastifyRequest): Terms => ({
  idempotencyKey: headers[IDEMPOTENCY_KEY.toLowerCase()],
  expectedVersions: versionsIn(headers['if-match']),
});

const IDEMPOTENCY_KEY = 'Idempotency-Key';

const usualStatus = (present: unknown) => (present ? 200 : 204);

/** The options for the OpenAPI description. */
const described = <Input extends z.ZodObject, Output>({
  description,
  rename,
  sets,
  body,
  bodyOrList,
  query,
  answers,
  shape = answers?.shape,
  etag,
  mayBeAbsent,
  isLines,
  bodiless,
}: Pick<
  RouteOptions<Input, Output>,
  | 'description'
  | 'rename'
  | 'sets'
  | 'body'
  | 'bodyOrList'
  | 'query'
  | 'answers'
  | 'shape'
  | 'etag'
  | 'mayBeAbsent'
  | 'isLines'
  | 'bodiless'
>) => ({
  ...(description && { description }),
  ...(bodiless && { bodiless }),
  ...(rename && { rename }),
  ...(sets && { sets }),
  ...(body && { body }),
  ...(bodyOrList && { bodyOrList }),
  ...(query && { query }),
  ...(mayBeAbsent && { mayBeAbsent }),
  ...(isLines && { isLines }),
  ...(etag && { isTagged: true as const }),
  ...(shape && { shape: typeof shape === 'function' ? shape : () => shape }),
});

async function run<Input extends z.ZodObject, Output>(
  operation: Operation<Input, Output>,
  options: Pick<
    RouteOptions<Input, Output>,
    'rename' | 'renameInside' | 'sets' | 'issueInRest' | 'toInput' | 'bodyOrList'
  >,
  raw: RestInput,
  ctx: Context,
  terms?: Terms,
): Promise<Output> {
  const { rename = NO_NAMES, renameInside = {}, sets = [], toInput, bodyOrList } = options;
  const body = bodyOrList && Array.isArray(raw.body) ? {} : bodyObject(raw.body);
  if (!body) {
    await operation.authorize(ctx, renamed(raw.params, rename));
    if (raw.body instanceof BrokenJson) throw raw.body.apiError;
    throw new ApiError('BAD_USER_INPUT', 'The body must be a JSON object.');
  }
  const given: Record<string, unknown> = {
    ...renamed(body, rename),
    ...coerceQuery(operation.input, renamed(raw.query, rename)),
    ...renamed(raw.params, rename),
  };
  for (const name of sets) delete given[name];
  try {
    // The operation validates the input.
    return await operation(ctx, toInput ? toInput(given, raw) : (given as z.input<Input>), terms);
  } catch (error) {
    const renamedPart = { ...renameInside, ...rename, [IDEMPOTENCY_KEY]: 'idempotencyKey' };
    throw asInRest(error, (issue) => ({
      ...issue,
      ...(options.issueInRest?.(issue, raw) ?? inRestNames(issue, renamedPart)),
    }));
  }
}

/**
 * Tells the client which properties of the body have no effect. With `Prefer: handling=strict`, they are errors, for
 * callers who may learn about the input.
 */
async function checkProperties(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Context,
  { path, operation, about }: Pick<Route, 'path' | 'operation' | 'about'>,
): Promise<void> {
  const { body, params } = request;
  if (!operation || typeof body !== 'object' || body === null || body instanceof BrokenJson) return;
  const { rename = NO_NAMES, bodyOrList } = about;
  const schema = bodySchemaOf({ path, operation, about });
  const ignored = ignoredProperties(bodyOrList && Array.isArray(body) ? schema.array() : schema, body);
  const strict = prefers(request, 'handling=strict');
  if (strict) reply.header(PREFERENCE_APPLIED, 'handling=strict');
  if (strict && ignored.length > 0) {
    await operation.authorize(ctx, renamed(params as Record<string, string>, rename)); // Fastify's router gives strings
    throw unknownProperties(ignored);
  }
  reportIgnoredProperties(reply, ignored);
}

const rawInput = ({ params, query, body, headers }: FastifyRequest): RestInput => ({
  prefersAsync: prefers({ headers }, 'respond-async'),
  params: params as Record<string, string>, // Fastify's router gives strings
  query: query as Record<string, string | string[]>, // and so does its query parser
  body,
});

/** The properties of a body. Undefined if it is not an object. */
function bodyObject(body: unknown): Record<string, unknown> | undefined {
  if (body === undefined || body === null) return {};
  if (body instanceof BrokenJson) return undefined;
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>; // just checked
  return undefined;
}

const renamed = <Value>(members: Record<string, Value>, rename: Record<string, string>): Record<string, Value> =>
  rename === NO_NAMES
    ? members
    : Object.fromEntries(Object.entries(members).map(([name, value]) => [rename[name] ?? name, value]));

const NO_NAMES: Record<string, string> = {};

/** `changes.0.insertPage.kind`: properties below have the same names on both transports. */
const RENAMED_PARTS = 4;

function inRestNames({ path, message }: Issue, rename: Record<string, string>): IssueInRest {
  const original = new Map(Object.entries(rename).map(([theirs, ours]) => [ours, theirs]));
  const renamedPart = (part: string | number, depth: number) =>
    typeof part === 'string' && depth < RENAMED_PARTS ? (original.get(part) ?? part) : part;
  return { path: path.map(renamedPart), message };
}

/** Converts the paths of issues to the names in REST. */
function asInRest(error: unknown, inRest: (issue: Issue) => Issue): unknown {
  if (!(error instanceof ApiError) || error.code !== 'BAD_USER_INPUT' || error.issues.length === 0) return error;
  return invalidInput(error.issues.map(inRest));
}

function parsePaging(query: Record<string, unknown>): z.output<typeof restPagingQuery> {
  return parse(restPagingQuery, query);
}
