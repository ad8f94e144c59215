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
  server.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) throw new ApiError('SERVICE_UNAVAILABLE', 'The service is shutting down. Try again later.');
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // An open keep-alive connection would delay the shutdown until it times out.
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (_request, _reply, done) => {
    // Headers with keep-alive may have been sent before the shutdown. The connection is idle one turn after the
    // response ends.
    if (isClosing) setImmediate(() => server.server.closeIdleConnections());
    done();
  });
}
