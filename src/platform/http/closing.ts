import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';

/** Time limit for running requests after a shutdown begins. The process has ten seconds in all. */
const GRACE_MS = 8_000;

/**
 * Makes `close` wait for running requests: new ones are rejected, connections close after their response, and
 * connections that are still busy after the limit are cut. Register before the routes.
 */
export function closeGracefully(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => server.server.closeAllConnections(), GRACE_MS).unref();
  });
  server.addHook('onRequest', async () => {
    if (isClosing) throw new ApiError('SERVICE_UNAVAILABLE', 'The service is shutting down. Try again later.');
  });
  server.addHook('onSend', async (_request, reply, payload) => {
    // An open keep-alive connection would delay the shutdown until it times out.
    if (isClosing) reply.header('connection', 'close');
    return payload;
  });
  server.addHook('onResponse', async () => {
    // Headers with keep-alive may have been sent before the shutdown. The connection is idle one turn after the
    // response ends.
    if (isClosing) setImmediate(() => server.server.closeIdleConnections());
  });
}
