import type { FastifyInstance } from 'fastify';
import type { AllowedMethods } from './allowed-methods.ts';

const DAY_SECONDS = 86_400;

/** What a page of another origin may send. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'Last-Event-ID',
].join(', ');

/** What it may read, beside the headers that are always readable (Fetch, "CORS-safelisted response-header name"). */
const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/**
 * Allows requests from pages of any origin. The service does not use cookies, so that a page gets no more than its token
 * gives it.
 */
export function allowAllOrigins(server: FastifyInstance, methodsAt: AllowedMethods): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) return undefined;
    const methods = methodsAt(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0) return undefined;
    return reply
      .status(204)
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', DAY_SECONDS)
      .send();
  });
}
