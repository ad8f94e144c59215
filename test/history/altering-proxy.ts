import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** A request on its way to the service. Plants may change it. */
export interface PassingRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface PassingAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers a request instead of the service, by means of it. */
export type Alter = (
  request: PassingRequest,
  forward: (request?: PassingRequest) => Promise<PassingAnswer>,
) => Promise<PassingAnswer>;

/** An HTTP proxy that alters requests and answers, so that a service without faults seems to have one. */
export async function startAlteringProxy(target: () => string, alter: Alter): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const passing: PassingRequest = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: endToEnd(request.headers),
      body: await readText(request),
    };
    const forward = (changed = passing) => send(target(), changed);
    if (passing.headers.accept === 'text/event-stream') {
      let changed = passing;
      // A stream is passed on as it comes: only its request can be altered.
      await alter(passing, async (given = passing) => {
        changed = given;
        return { status: 200, headers: {}, body: '' };
      });
      await stream(target(), changed, response);
      return;
    }
    const answer = await alter(passing, forward);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy does not listen.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'accept-encoding',
]);

const endToEnd = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, String(value)]],
    ),
  );

const initOf = ({ method, headers, body }: PassingRequest): RequestInit => ({
  method,
  headers,
  ...(method !== 'GET' && body !== '' && { body }),
});

async function send(target: string, request: PassingRequest): Promise<PassingAnswer> {
  const response = await fetch(`${target}${request.path}`, initOf(request));
  const headers = Object.fromEntries(
    ['content-type', 'etag'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: response.status, headers, body: await response.text() };
}

async function stream(target: string, request: PassingRequest, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const answer = await fetch(`${target}${request.path}`, { ...initOf(request), signal: left.signal });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}
