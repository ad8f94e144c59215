import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import { ApiError, type Issue, type IssueInRest, invalidInput } from '../errors/errors.ts';
import type { CommandOptions, Operation } from '../operation/operation.ts';
import { coerceQuery } from './coerce-query.ts';
import { versionsIn } from './conditional-requests.ts';
import {
  bodySchemaOf,
  ignoredProperties,
  type JsonRoute,
  reportIgnoredProperties,
  unknownProperties,
} from './ignored-properties.ts';
import { BrokenJson } from './limits/parse-json.ts';

/** What a request contains. */
export interface RestInput {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  body: unknown;
  /** Whether the client wants long work to go on in the background: `Prefer: respond-async` (RFC 7240, 4.1). */
  prefersAsync: boolean;
}

/** How a route makes the input of its operation from a request. */
export interface InputOptions<Input extends z.ZodObject> {
  /** Names in REST of properties of the input, if they differ: `{ parent: 'parentId' }`. */
  rename?: Record<string, keyof z.input<Input> & string>;
  /** Properties of the input that `toInput` sets, so that requests cannot. */
  sets?: readonly (keyof z.input<Input> & string)[];
  /**
   * Names in REST of nested properties, down to the fourth part of a path. `toInput` converts them. Used in paths of
   * issues.
   */
  renameInside?: Record<string, string>;
  /** Converts the path of an issue to the request. Undefined if renaming is enough. */
  issueInRest?(issue: Issue, raw: RestInput): IssueInRest | undefined;
  /** Makes the input if renaming is not enough. Parameters of path, query and body are already merged. */
  toInput?(values: Record<string, unknown>, raw: RestInput): z.input<Input>;
  /** The body can also be an array of objects of this schema, which `toInput` reads from the request. */
  bodyOrList?: true;
}

/** The options of a command in the headers of a request. */
export const commandOptionsOf = ({ headers }: FastifyRequest): CommandOptions => ({
  idempotencyKey: headers[IDEMPOTENCY_KEY.toLowerCase()],
  expectedVersions: versionsIn(headers['if-match']),
});

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Runs the operation of a route with the input of a request. Paths of issues have the names of the request. */
export async function runOperation<Input extends z.ZodObject, Output>(
  operation: Operation<Input, Output>,
  options: InputOptions<Input>,
  raw: RestInput,
  ctx: Context,
  commandOptions?: CommandOptions,
): Promise<Output> {
  const { rename = NO_NAMES, renameInside = {}, sets = [], toInput, bodyOrList } = options;
  const body = bodyOrList && Array.isArray(raw.body) ? {} : bodyObject(raw.body);
  if (!body) {
    await operation.authorize(ctx, renamed(raw.params, rename));
    if (raw.body instanceof BrokenJson) throw raw.body.apiError;
    throw new ApiError('BAD_USER_INPUT', 'The body must be a JSON object.');
  }
  const values: Record<string, unknown> = {
    ...renamed(body, rename),
    ...coerceQuery(operation.input, renamed(raw.query, rename)),
    ...renamed(raw.params, rename),
  };
  for (const name of sets) delete values[name];
  try {
    // The operation validates the input.
    return await operation(ctx, toInput ? toInput(values, raw) : (values as z.input<Input>), commandOptions);
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
export async function checkProperties(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Context,
  {
    path,
    operation,
    about,
  }: Pick<JsonRoute, 'path'> & { operation?: Operation; about: JsonRoute['about'] & { bodyOrList?: true } },
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

export const rawInput = ({ params, query, body, headers }: FastifyRequest): RestInput => ({
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
    : Object.fromEntries(
        Object.entries(members).map(([name, value]) => [
          Object.hasOwn(rename, name) ? (rename[name] ?? name) : name,
          value,
        ]),
      );

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

const PREFERENCE_APPLIED = 'Preference-Applied';

/**
 * Whether the header `Prefer` of a request has a preference such as `respond-async` or `handling=strict` (RFC 7240).
 */
function prefers({ headers }: Pick<FastifyRequest, 'headers'>, preference: string): boolean {
  const sent = [headers.prefer ?? []].flat().join(',');
  return sent.split(/[,;]/).some((part) => part.replace(/[\s"]/g, '').toLowerCase() === preference);
}
