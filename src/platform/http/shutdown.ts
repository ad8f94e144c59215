import type { Server } from 'node:http';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Time limit for running requests after the listener has closed. The process has ten seconds for it. */
const GRACE_MS = 8_000;

/** Time in which the request of a connection that was just accepted arrives. */
const ARRIVAL_MS = 100;

/**
 * Time after which idle connections close when the server was drained. A proxy that does not know that the server stops
 * sends requests on them until then, and must have closed them sooner (nginx: `keepalive_timeout` of the upstream).
 */
const IDLE_MS = 3_000;

/** The listener closes once this long no connection has arrived, or after the limit. */
const QUIET_MS = 100;
const QUIET_WITHIN_MS = 2_000;

/** The end of a server, in two steps: `drain` while it accepts connections, and then `close` of the server. */
export class Shutdown {
  #connections = 0;
  #draining: Promise<void> | undefined;

  /** Whether `drain` or `close` has been called: the server is no longer ready. */
  hasBegun = false;

  /**
   * Whether connections stay open until the listener has closed. Otherwise, a proxy that still sends requests would
   * open new ones, and some of them would wait to be accepted at the moment when the listener closes.
   */
  keepsConnections = false;

  /**
   * Waits `delayMs`, in which a load balancer finds out that the server is not ready, and then until no connection
   * arrives. The server accepts connections and answers requests meanwhile.
   */
  drain(delayMs: number): Promise<void> {
    this.hasBegun = true;
    this.keepsConnections ||= delayMs > 0;
    this.#draining ??= sleep(delayMs).then(() => this.#untilQuiet());
    return this.#draining;
  }

  count(http: Server): void {
    http.on('connection', () => this.#connections++);
  }

  /** The kernel resets connections that wait to be accepted when the listener closes. */
  async #untilQuiet(): Promise<void> {
    for (let waited = 0; waited < QUIET_WITHIN_MS; waited += QUIET_MS) {
      const before = this.#connections;
      await sleep(QUIET_MS);
      // After a long tick of the event loop timers run first. One connection is accepted in each tick.
      for (let tick = 0; tick < 3; tick++) await nextTick();
      if (this.#connections === before) return;
    }
  }
}

/**
 * Makes `close` stop accepting connections and wait for running requests. Open connections close after their next
 * response or when they are idle, and those that are still busy after the limit are cut. Register before the routes, on
 * a server with `return503OnClosing: false`.
 */
export function closeGracefully(server: FastifyInstance, shutdown: Shutdown): void {
  const { server: http } = server;
  shutdown.count(http);
  let isClosing = false;
  server.addHook('preClose', async () => {
    shutdown.hasBegun = true;
    isClosing = true;
    const limit = setTimeout(() => http.closeAllConnections(), GRACE_MS).unref();
    http.once('close', () => clearTimeout(limit));
  });
  // `close` calls it at once, and it would reset connections whose first request has not been read yet.
  const closeIdle = http.closeIdleConnections.bind(http);
  http.closeIdleConnections = () => void setTimeout(closeIdle, shutdown.keepsConnections ? IDLE_MS : ARRIVAL_MS);
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // An open keep-alive connection would delay the shutdown until it times out.
    if (isClosing || (shutdown.hasBegun && !shutdown.keepsConnections)) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (_request, _reply, done) => {
    // Headers with keep-alive may have been sent before the shutdown.
    if (isClosing) http.closeIdleConnections();
    done();
  });
}
