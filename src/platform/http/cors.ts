import type { FastifyInstance } from 'fastify';
import { DAY_SECONDS } from '../../lib/durations.ts';
import type { AllowedMethods } from './allowed-methods.ts';

/** Request headers that pages of other origins can send. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
].join(', ');

/**
 * Response headers that such pages can read, in addition to those that are always readable (Fetch, "CORS-safelisted
 * response-header name").
 */
const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Stemma-Ignored-Properties',
  'Stemma-Left-Out-Images',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

const HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS };

/**
 * Allows requests from pages of any origin. This is safe since such pages need a token: session cookies are only
 * accepted from pages of the service itself (`session-cookie.ts`), and `*` does not allow browsers to send any.
 */
export function allowAllOrigins(server: FastifyInstance, methodsAt: AllowedMethods): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    const methods = isPreflight ? methodsAt(request.url.split('?', 1)[0] ?? '') : [];
    if (methods.length === 0) {
      done();
      return;
    }
    reply
      .status(204)
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', DAY_SECONDS)
      .send();
  });
}
