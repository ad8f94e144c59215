import type { IncomingMessage } from 'node:http';

/** Time for which the client can go on sending after the response, in order to reach the point where it reads it. */
const LINGER_MS = 5_000;

/**
 * Discards the rest of a request body. If the connection were cut at once, the client would see a broken connection
 * instead of the response. The connection is cut if the client keeps sending for too long.
 */
export function discardBody(source: IncomingMessage): void {
  if (source.complete || source.destroyed) return;
  source.resume();
  const timer = setTimeout(() => {
    if (!source.complete) source.destroy();
  }, LINGER_MS);
  timer.unref();
}
