import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  /** IDs of the deliveries that arrived, with the number of times. */
  readonly deliveries: Map<string, number>;
  close(): void;
}

/** Receives webhooks on this machine and takes every delivery. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['x-stemma-delivery']);
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
