import type { IncomingMessage } from 'node:http';

/** How long a sender may go on after its request was answered, to come to reading the answer. */
const LINGER_MS = 5_000;

/**
 * Throws away what is left of a body that nobody reads, without holding it. Cutting the connection at once would make
 * the sender see a broken connection and never the answer; it is cut when the sender goes on for too long.
 */
export function discardBody(source: IncomingMessage): void {
  if (source.complete || source.destroyed) return;
  source.resume();
  const timer = setTimeout(() => {
    if (!source.complete) source.destroy();
  }, LINGER_MS);
  timer.unref();
}
