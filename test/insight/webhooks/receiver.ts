import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/**
 * A receiver of webhooks on this machine. `answer` decides what it does with a request; at first it takes everything.
 */
export async function makeReceiver() {
  const receiver = {
    url: '',
    received: [] as Received[],
    answer: (response: ServerResponse, _count: number): void => void response.writeHead(204).end(),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() });
    receiver.answer(response, receiver.received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`; // it listens on a port
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
