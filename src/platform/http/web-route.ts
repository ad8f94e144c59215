import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { ApiError } from '../errors.ts';
import type { InContext } from './in-context.ts';

/** A page or form for browsers. It is not part of the APIs. */
export interface WebRoute {
  method: 'GET' | 'POST';
  /** With `:name` for parameters, in Fastify's syntax. */
  path: string;
  /** Maximum size of a form in bytes. */
  maxBytes?: number;
  handle(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<FastifyReply>;
}

const MAX_FORM_BYTES = 16_384;

export function registerWebRoutes(server: FastifyInstance, routes: readonly WebRoute[], inContext: InContext): void {
  for (const { method, path: url, maxBytes = MAX_FORM_BYTES, handle } of routes) {
    const config = { takesForm: method === 'POST', anonymousBody: maxBytes };
    server.route({
      method,
      url,
      config,
      handler: (request, reply) => inContext(request, reply, (ctx) => handle(request, reply, ctx)),
    });
  }
}

/** The fields of a form. BAD_USER_INPUT for bodies of another type and for fields that are sent twice. */
export function formOf({ body }: FastifyRequest): Readonly<Record<string, string>> {
  if (!(body instanceof URLSearchParams)) throw new ApiError('BAD_USER_INPUT', 'The body must be a form.');
  const fields = [...body];
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw new ApiError('BAD_USER_INPUT', 'The form has a field twice.');
  return Object.fromEntries(fields);
}
