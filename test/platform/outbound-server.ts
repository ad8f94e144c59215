import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server of a test, and what reached it. */
export interface TestServer {
  url: string;
  port: number;
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  connections: number;
}

/** Serves until the test is over. The listener is called when the request has come in whole. */
export async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  const seen: TestServer = { url: '', port: 0, requests: [], connections: 0 };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.requests.push({ method, url, headers, body });
    listener(request, response);
  });
  server.on('connection', () => {
    seen.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  seen.port = (server.address() as AddressInfo).port; // of a server that listens on TCP
  seen.url = `http://${host}:${seen.port}`;
  return seen;
}
