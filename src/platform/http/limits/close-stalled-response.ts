import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Time without progress after which the connection of a response is closed. */
const STALLED_MS = 30_000;
const CHECK_MS = 5_000;

/**
 * Closes the connection when the client stops reading the response, which stays in memory until it is read. Clients may
 * read as slowly as they like, and time in which there is nothing to read does not count.
 */
export function closeStalledResponse({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): void {
  if (raw.destroyed) return;
  let progress = '';
  let since = 0;
  const timer = setInterval(() => {
    const now = progressOf(raw, socket);
    if (raw.writableLength === 0 || now !== progress) {
      progress = now;
      since = performance.now();
    } else if (performance.now() - since >= STALLED_MS) {
      // A reset also frees what the system keeps for the client.
      socket.resetAndDestroy();
    }
  }, CHECK_MS).unref();
  raw.once('close', () => clearInterval(timer));
}

/**
 * How far the client has come. `Socket.setTimeout` has the same measure, but what the client sends counts for it too. A
 * response behind another one of its connection has no socket yet, and comes no further.
 */
function progressOf(response: ServerResponse, socket: Socket): string {
  if (response.socket === null) return 'queued';
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } }; // Node does not declare it
  // Writes that have completed, and the part of the current one that the system has not taken.
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`;
}
