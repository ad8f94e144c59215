import type { FastifyInstance } from 'fastify';

/** Time limit for running requests after a shutdown begins. The process has ten seconds in all. */
const GRACE_MS = 8_000;

/** Time in which the request of a connection that was just accepted arrives. */
const ARRIVAL_MS = 100;

/**
 * Makes `close` wait for running requests. No connection is accepted any more. Those that are open close after their next
 * response or when they are idle, and those that are still busy after the limit are cut. Register before the routes, on a
 * server with `return503OnClosing: false`.
 */
export function closeGracefully(server: FastifyInstance): void {
  const { server: http } = server;
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => http.closeAllConnections(), GRACE_MS).unref();
  });
  // `close` calls it at once, and it would reset connections whose first request has not been read yet.
  const closeIdle = http.closeIdleConnections.bind(http);
  http.closeIdleConnections = () => void setTimeout(closeIdle, ARRIVAL_MS);
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // An open keep-alive connection would delay the shutdown until it times out.
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (_request, _reply, done) => {
    // Headers with keep-alive may have been sent before the shutdown.
    if (isClosing) http.closeIdleConnections();
    done();
  });
}
