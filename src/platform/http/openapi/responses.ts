import { z } from 'zod';
import { API_ERRORS } from '../../errors.ts';
import { listShape } from '../../shapes.ts';
import type { Route } from '../route.ts';
import type { Json } from './json.ts';
import { isVersioned, pathNames } from './parameters.ts';
import { NAMED, type Schemas } from './schemas.ts';

/** The one error body (docs/decisions.md, Errors). */
export const errorShape = z
  .object({
    error: z
      .object({
        code: z.int().describe('The HTTP status.'),
        message: z.string().describe('What is wrong and what to change, for people.'),
        issues: z
          .array(
            z.object({
              path: z.array(z.union([z.string(), z.int()])).describe('Names and indexes that lead to the member.'),
              message: z.string().describe('What is wrong with it.'),
            }),
          )
          .optional()
          .describe('Every fault of the input.'),
        requestId: z.string().describe('What to look for in the log; the header `X-Request-Id` has it too.'),
      })
      .describe('What went wrong.'),
  })
  .meta({ id: 'Error', description: 'The body of every answer that refuses something.' });

const ERRORS: Record<string, [status: number, description: string]> = {
  BadRequest: [
    API_ERRORS.BAD_USER_INPUT,
    'The input is not valid, and `issues` names each fault; or the answer would be too large.',
  ],
  Unauthenticated: [API_ERRORS.UNAUTHENTICATED, 'There is no access token, or it is unknown, revoked or expired.'],
  Forbidden: [API_ERRORS.FORBIDDEN, 'You may see it, but not do this to it.'],
  NotFound: [API_ERRORS.NOT_FOUND, 'There is nothing there, or nothing that you may see.'],
  Conflict: [
    API_ERRORS.CONFLICT,
    'It does not go with how things are now, or the idempotency key has been used otherwise.',
  ],
  PreconditionFailed: [API_ERRORS.PRECONDITION_FAILED, 'It is in another version than `If-Match` names.'],
  RequestTimeout: [API_ERRORS.REQUEST_TIMEOUT, 'The body did not arrive in time.'],
  PayloadTooLarge: [API_ERRORS.PAYLOAD_TOO_LARGE, 'The body is too large.'],
  UnsupportedMediaType: [API_ERRORS.UNSUPPORTED_MEDIA_TYPE, 'The body must be sent as `application/json`.'],
  TooManyRequests: [API_ERRORS.RATE_LIMITED, 'Too many requests in this minute.'],
  InternalError: [500, 'A fault of the service. It is in the log under the request id.'],
  Unavailable: [API_ERRORS.SERVICE_UNAVAILABLE, 'The service cannot answer at the moment; try again.'],
} satisfies Record<string, [number, string]>;

/** Which of them can occur on a route, beside those that can on any. */
interface Occurring {
  route: Route;
  hasBody: boolean;
  isOpen: boolean;
  canForbid: boolean;
}

/** Every answer of a route: those of success, and each apiError that can occur. */
export function responsesOf(occurring: Occurring, schemas: Schemas, example: unknown): Json {
  const { about } = occurring.route;
  const [usual = 200, ...others] = about.statuses;
  const success = (status: number) => [
    status,
    successOf(occurring.route, schemas, status === usual ? example : undefined),
  ];
  const apiErrors = Object.entries(ERRORS).filter(([name]) => occurs(name, occurring));
  return {
    ...Object.fromEntries([usual, ...others].map(success)),
    ...(isConditional(occurring.route) && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...(about.givesBytes && { 416: { $ref: '#/components/responses/RangeNotSatisfiable' } }),
    ...Object.fromEntries(apiErrors.map(([name, [status]]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}

const isConditional = ({ method, about }: Route) => (method === 'GET' && isVersioned(about)) || about.givesBytes;

function occurs(name: string, { route, hasBody, isOpen, canForbid }: Occurring): boolean {
  const { method, path, operation, about } = route;
  const isCommand = operation?.kind === 'command' || about.takesBytes === true;
  if (name === 'Forbidden') return !isOpen && (canForbid || isCommand);
  // What is to be gone and is gone is done, except below what is absent itself (docs/decisions.md, Errors).
  if (name === 'NotFound') return pathNames(path).length > (method === 'DELETE' ? 1 : 0);
  if (name === 'Conflict') return isCommand;
  // A condition on what has no version is never met.
  if (name === 'PreconditionFailed') return operation?.kind === 'command';
  if (name === 'PayloadTooLarge' || name === 'RequestTimeout') return hasBody;
  if (name === 'UnsupportedMediaType') return hasBody && !about.takesBytes;
  return true;
}

const COMMON_HEADERS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const headersNamed = (names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const headersOf = ({ path }: Route) => (path.startsWith('/v1') ? COMMON_HEADERS : COMMON_HEADERS.slice(0, 1));

function successOf(route: Route, schemas: Schemas, example: unknown): Json {
  const { isList, isUncounted, beside, givesBytes } = route.about;
  const shape = route.about.shape?.();
  const headers = headersNamed([...headersOf(route), ...(isVersioned(route.about) || givesBytes ? ['ETag'] : [])]);
  if (givesBytes) return { description: 'The bytes of the file, or a range of them.', headers, content: { '*/*': {} } };
  if (!shape) return { description: 'It is done.', headers };
  const schema = schemas.output(isList ? listShape(shape, { beside, isUncounted }) : shape);
  const description = isList ? 'A page of the list.' : (shape.meta()?.description ?? 'It is done.');
  return {
    description,
    headers,
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

/** Answers that many routes share; `examples` by their name. */
export const sharedResponses = (examples: Record<string, unknown>): Json => ({
  NotModified: {
    description: 'It would say the same as the answer that `If-None-Match` names.',
    headers: headersNamed(['X-Request-Id', 'ETag']),
  },
  RangeNotSatisfiable: {
    description: 'The range begins past the end of the file.',
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

const header = (description: string, schema: Json): Json => ({ description, schema });
const whole = { type: 'integer', minimum: 0 };

export const SHARED_HEADERS: Json = {
  'X-Request-Id': header('Names this answer in the log of the service.', { type: 'string' }),
  'X-RateLimit-Limit': header('How many requests a minute may have; absent where there is no limit.', whole),
  'X-RateLimit-Remaining': header('How many of them are left.', whole),
  'X-RateLimit-Reset': header('When there are more again, in seconds since 1970.', whole),
  'Retry-After': header('After how many seconds to try again.', whole),
  ETag: header('Names the version of the resource, for `If-Match` and `If-None-Match`.', { type: 'string' }),
};
