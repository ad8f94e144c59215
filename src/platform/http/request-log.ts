import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { userIdOf } from '../access/actor.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The codes of the errors that it was answered with. */
    errorCodes: string[] | undefined;
    /** What is known of it once it has a context. */
    asked: Pick<Context, 'actor' | 'query'> | undefined;
  }
  interface FastifyContextConfig {
    /** The public API's name of the operation, at addresses of REST. */
    operationId?: string;
  }
}

const MAX_PATH = 200;
const MAX_CODES = 5;

/**
 * What a line of the log says of a request: who asked for what. The route's pattern and not the address, which may carry
 * secrets; an address without a route is told by its path.
 */
export function describeRequest({ method, url, routeOptions, caller, asked }: FastifyRequest) {
  const actor = asked?.actor ?? caller?.actor;
  const userId = actor === undefined || actor instanceof ApiError ? undefined : userIdOf(actor);
  const route = routeOptions.url;
  const operation = routeOptions.config?.operationId ?? asked?.query?.operation;
  return {
    method,
    route: route ?? null,
    ...(route === undefined && { path: url.split('?', 1)[0]?.slice(0, MAX_PATH) }),
    ...(operation !== undefined && { operation }),
    ...(userId !== undefined && { userId }),
  };
}

/** The log of a request that is under way: its lines say whose it is. */
export const logOf = (request: FastifyRequest): FastifyBaseLogger => request.log.child(describeRequest(request));

/** One line for each request, when it is answered. */
export function logRequest(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
  const milliseconds = Math.round(elapsedTime * 10) / 10;
  const { errorCodes } = request;
  const errors = errorCodes && { errors: [...new Set(errorCodes)].slice(0, MAX_CODES) };
  request.log.info({ ...describeRequest(request), status: statusCode, milliseconds, ...errors }, 'request');
}
