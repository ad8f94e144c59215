import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';

/** How long running requests may take to end; the process has ten seconds in all. */
const GRACE_MS = 8_000;

/**
 * Makes `close` let running requests end: new ones are refused, answers end their connections, and what still runs
 * when the grace is over is cut. To be registered before the routes.
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
    // A connection that stays open would hold the server until it times out.
    if (isClosing) reply.header('connection', 'close');
    return payload;
  });
  server.addHook('onResponse', async () => {
    // The answer may have begun, and promised to keep the connection, before. It is idle a turn after its end.
    if (isClosing) setImmediate(() => server.server.closeIdleConnections());
  });
}
