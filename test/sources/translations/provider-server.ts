import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** A request that the server got. */
export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  body: any;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
type Answer = (asked: Asked, response: ServerResponse) => any;

/**
 * A provider on this machine. What `answer` returns is sent as JSON; undefined if it has answered itself, or never
 * does.
 */
export async function makeProviderServer() {
  const asked: Asked[] = [];
  const provider = { asked, url: '', answer: (() => ({})) as Answer };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const one = { path: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const answer = await provider.answer(one, response);
    if (answer !== undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return provider;
}

/** An answer like that of a model, with a translation for each segment. */
export const answeredBy =
  (translate: (segment: string, index: number) => unknown): Answer =>
  ({ body }) => {
    const { segments } = JSON.parse(body.messages.at(-1).content);
    const content = JSON.stringify({ translations: segments.map(translate) });
    return { choices: [{ message: { content } }] };
  };
