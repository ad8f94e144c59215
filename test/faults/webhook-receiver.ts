import { type LocalServer, startLocalServer } from './local-server.ts';

export interface Receiver extends LocalServer {
  /** IDs of the deliveries that arrived, with the number of times. */
  readonly deliveries: Map<string, number>;
}

/** Receives webhooks on this machine and takes every delivery. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries = new Map<string, number>();
  const server = await startLocalServer((request, response) => {
    const id = String(request.headers['x-stemma-delivery']);
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  return { ...server, deliveries };
}
