import { z } from 'zod';
import { ISSUE_CODES } from '../../../lib/validation/issue-code.ts';
import { API_ERRORS, type IssueCode } from '../../errors/errors.ts';
import { listShape } from '../../shapes/shapes.ts';
import type { Route } from '../route.ts';
import type { OpenApiObject } from './json.ts';
import { hasTag, pathNames } from './parameters.ts';
import { NAMED, type Schemas } from './schemas.ts';

/** The body of all errors. */
export const errorShape = z
  .object({
    error: z
      .object({
        code: z.int().describe('HTTP status.'),
        message: z
          .string()
          .describe('Human-readable message: the cause of the error and, if possible, how to correct it.'),
        issues: z
          .array(
            z.object({
              path: z.array(z.union([z.string(), z.int()])).describe('Path of property names and indexes.'),
              message: z.string().describe('Message about the value.'),
              code: z
                .enum(Object.keys(ISSUE_CODES) as IssueCode[]) // its keys
                .describe('Kind of the issue, for programs. New kinds may be added. The handbook lists them.'),
            }),
          )
          .optional()
          .describe('All errors in the input.'),
        requestId: z
          .string()
          .describe('ID of the request in the log of the service, also sent in the header `X-Request-Id`.'),
      })
      .describe('The error.'),
  })
  .meta({ id: 'Error', description: 'Body of all error responses.' });

const ERRORS: Record<string, [status: number, description: string]> = {
  BadRequest: [API_ERRORS.BAD_USER_INPUT, 'The input is invalid (see `issues`), or the response would be too large.'],
  Unauthenticated: [API_ERRORS.UNAUTHENTICATED, 'The access token is missing, invalid, revoked or expired.'],
  Forbidden: [
    API_ERRORS.FORBIDDEN,
    'You can see the resource but do not have the required permission, or a page of another origin sent the request with a session cookie.',
  ],
  NotFound: [API_ERRORS.NOT_FOUND, 'The resource does not exist, or you cannot see it.'],
  Conflict: [
    API_ERRORS.CONFLICT,
    'The request conflicts with the current state, or the idempotency key was used for a different request.',
  ],
  PreconditionFailed: [API_ERRORS.PRECONDITION_FAILED, 'The resource does not have the version in `If-Match`.'],
  RequestTimeout: [API_ERRORS.REQUEST_TIMEOUT, 'The body did not arrive in time.'],
  PayloadTooLarge: [API_ERRORS.PAYLOAD_TOO_LARGE, 'The body is too large.'],
  UnsupportedMediaType: [API_ERRORS.UNSUPPORTED_MEDIA_TYPE, 'The content type must be `application/json`.'],
  TooManyRequests: [API_ERRORS.RATE_LIMITED, 'The rate limit is exceeded.'],
  InternalError: [500, 'An internal error. The log of the service contains it with the request ID.'],
  Unavailable: [API_ERRORS.SERVICE_UNAVAILABLE, 'The service is temporarily unavailable. Try again later.'],
  InsufficientStorage: [
    API_ERRORS.INSUFFICIENT_STORAGE,
    'The service has no disk space left. Reading works; an operator has to free space.',
  ],
} satisfies Record<string, [number, string]>;

/** What determines the possible errors of a route. */
interface Occurring {
  route: Route;
  hasBody: boolean;
  /** The body is JSON, whose unknown properties the response names. */
  readsProperties: boolean;
}

/** All responses of a route: success, and the errors that can occur. */
export function responsesOf(occurring: Occurring, schemas: Schemas, example: unknown): OpenApiObject {
  const { about } = occurring.route;
  const [usual = 200, ...others] = about.statuses;
  const success = (status: number) => [
    status,
    successOf(occurring, schemas, { status, example: status === usual ? example : undefined }),
  ];
  const apiErrors = Object.entries(ERRORS).filter(([name]) => occurs(name, occurring));
  return {
    ...Object.fromEntries([usual, ...others].map(success)),
    ...(isConditional(occurring.route) && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...(about.redirects !== undefined && { 302: redirectOf(occurring, about.redirects) }),
    ...(about.givesBytes && { 416: { $ref: '#/components/responses/RangeNotSatisfiable' } }),
    ...Object.fromEntries(apiErrors.map(([name, [status]]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}

const redirectOf = ({ route }: Occurring, description: string): OpenApiObject => ({
  description,
  headers: headersNamed(headersOf(route)),
});

const isConditional = ({ method, about }: Route) => (method === 'GET' && hasTag(about)) || about.givesBytes;

function occurs(name: string, { route, hasBody }: Occurring): boolean {
  const { method, path, operation, about } = route;
  const isCommand = operation?.kind === 'command' || about.takesBytes === true;
  // Deleting an absent resource succeeds, unless its parent is absent.
  if (name === 'NotFound') return about.mayBeAbsent === true || pathNames(path).length > (method === 'DELETE' ? 1 : 0);
  if (name === 'Conflict' || name === 'InsufficientStorage') return isCommand;
  // A condition on a resource without versions always fails.
  if (name === 'PreconditionFailed') return operation?.kind === 'command';
  if (name === 'PayloadTooLarge' || name === 'RequestTimeout') return hasBody;
  if (name === 'UnsupportedMediaType') return hasBody && !about.takesBytes;
  return true;
}

const COMMON_HEADERS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const headersNamed = (names: string[]): OpenApiObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const headersOf = ({ path }: Route) => (path.startsWith('/v1') ? COMMON_HEADERS : COMMON_HEADERS.slice(0, 1));

function successOf(
  { route, readsProperties }: Occurring,
  schemas: Schemas,
  { status, example }: { status: number; example: unknown },
): OpenApiObject {
  const { isList, isUncounted, extra, givesBytes, isLines, bodiless } = route.about;
  const shape = bodiless?.includes(status) ? undefined : route.about.shape?.();
  const headers = headersNamed([
    ...headersOf(route),
    ...(readsProperties ? ['Stemma-Ignored-Properties'] : []),
    ...(hasTag(route.about) || givesBytes ? ['ETag'] : []),
  ]);
  if (givesBytes)
    return { description: 'Content of the file, or the requested range.', headers, content: { '*/*': {} } };
  if (!shape) return { description: 'Success.', headers };
  if (isLines)
    return {
      description: 'One object a line, as newline-delimited JSON.',
      headers,
      content: { 'application/x-ndjson': { schema: schemas.output(shape) } },
    };
  const schema = schemas.output(isList ? listShape(shape, { extra, isUncounted }) : shape);
  const description = isList ? 'One page of the list.' : (shape.meta()?.description ?? 'Success.');
  return {
    description,
    headers,
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

/** Responses that routes share. `examples` are by name. */
export const sharedResponses = (examples: Record<string, unknown>): OpenApiObject => ({
  NotModified: {
    description: 'The response is the same as the one in `If-None-Match`.',
    headers: headersNamed(['X-Request-Id', 'ETag']),
  },
  RangeNotSatisfiable: {
    description: 'The range starts after the end of the file.',
    headers: headersNamed(['X-Request-Id', 'ETag']),
  },
  ...Object.fromEntries(
    Object.entries(ERRORS).map(([name, [status, description]]) => [
      name,
      {
        description,
        headers: headersNamed(['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])]),
        content: {
          'application/json': {
            schema: { $ref: `${NAMED}Error` },
            ...(examples[name] !== undefined && { example: examples[name] }),
          },
        },
      },
    ]),
  ),
});

const header = (description: string, schema: OpenApiObject): OpenApiObject => ({ description, schema });
const integer = { type: 'integer', minimum: 0 };

export const SHARED_HEADERS: OpenApiObject = {
  'X-Request-Id': header('ID of the request in the log of the service.', { type: 'string' }),
  'X-RateLimit-Limit': header('Maximum number of requests per minute. Left out if there is no limit.', integer),
  'X-RateLimit-Remaining': header('Number of remaining requests in the current minute.', integer),
  'X-RateLimit-Reset': header('Time when the next minute starts, in seconds since 1970.', integer),
  'Stemma-Ignored-Properties': header(
    'Properties of the body that the service does not know and has ignored: paths such as `changes.0.titel`, percent-encoded ' +
      'and separated by commas. At most ten names and 500 bytes. Left out if there are none.',
    { type: 'string' },
  ),
  'Retry-After': header('Number of seconds to wait before trying again.', integer),
  ETag: header('Version of the response, for `If-Match` and `If-None-Match`.', { type: 'string' }),
};
