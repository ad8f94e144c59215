import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { userIdOf } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import { ApiError } from '../errors/errors.ts';
import { isLevelLogged, lazyLog } from '../log/lazy-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Codes of the errors in the response. */
    errorCodes: string[] | undefined;
    /** Set once the request has a context. */
    callContext: Pick<Context, 'actor' | 'callSummary'> | undefined;
  }
  interface FastifyContextConfig {
    /** Operation id in the public API, for REST routes. */
    operationId?: string;
  }
}

const MAX_PATH = 200;
const MAX_CODES = 5;

/**
 * The log fields of a request: the caller and the route. Logs the pattern of the route, since the URL may contain
 * secrets, or the path if there is no route.
 */
export function describeRequest({ method, url, routeOptions, caller, callContext }: FastifyRequest) {
  const actor = callContext?.actor ?? caller?.actor;
  const userId = actor === undefined || actor instanceof ApiError ? undefined : userIdOf(actor);
  const route = routeOptions.url;
  const operation = routeOptions.config?.operationId ?? callContext?.callSummary?.operation;
  return {
    method,
    route: route ?? null,
    ...(route === undefined && { path: url.split('?', 1)[0]?.slice(0, MAX_PATH) }),
    ...(operation !== undefined && { operation }),
    ...(userId !== undefined && { userId }),
  };
}

/** The logger of a running request. Its lines identify the request. */
export const logOf = (request: FastifyRequest): FastifyBaseLogger =>
  lazyLog(request.log, () => request.log.child(describeRequest(request)));

/** Logs one line per request when the response is sent. */
export function logRequest(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
  if (!isLevelLogged(request.log.level, 'info')) return;
  const milliseconds = Math.round(elapsedTime * 10) / 10;
  const { errorCodes } = request;
  const errors = errorCodes && { errors: [...new Set(errorCodes)].slice(0, MAX_CODES) };
  request.log.info({ ...describeRequest(request), status: statusCode, milliseconds, ...errors }, 'request');
}

/** Id of a request in its response (`X-Request-Id`), in errors and in the log. */
export const newRequestId = () => `req-${randomUUID()}`;
