import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';

/** A request that the API got. */
interface ApiRequest {
  path: string;
  token: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  body: any;
}

/**
 * Stands in for the API of a provider, with the answers that GitHub and GitLab document. Lists have a page of what is
 * `open`. Stopped after the tests of a file.
 */
export async function providerApi() {
  const requests: ApiRequest[] = [];
  const api = { url: '', requests, status: 201, pullRequest: 7, message: '', open: [] as object[] };
  const server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    const token = authorization ?? request.headers['private-token']?.toString();
    const body = await text(request);
    requests.push({
      path: `${request.method} ${request.url}`,
      token,
      body: body === '' ? undefined : JSON.parse(body),
    });
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const length = searchParams.get('per_page') ?? (pathname.endsWith('/merge_requests') ? 20 : 30);
      return void response.end(JSON.stringify(api.open.slice(0, Number(length))));
    }
    response.writeHead(api.status, { 'content-type': 'application/json' });
    const { pullRequest: number, message } = api;
    const url = `https://example.com/acme/docs/pull/${number}`;
    response.end(JSON.stringify({ number, html_url: url, iid: number, web_url: url, state: 'open', message }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => server.close());
  return api;
}
