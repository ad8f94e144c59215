import { beforeAll, expect, test } from 'vitest';
import { world } from '../world.ts';
import { publishedSite, spaceWith } from './reader-world.ts';

const { admin, organizationId } = await world();

let site: Awaited<ReturnType<typeof publishedSite>>;

beforeAll(async () => {
  const { spaceId } = await spaceWith(admin, organizationId, 'Guides', [
    { title: 'Welcome', document: { markdown: 'Hello.' } },
    { title: 'Buffers', document: { markdown: 'A buffer has chunks.' } },
  ]);
  site = await publishedSite(admin, organizationId, { title: 'Acme Docs', spaces: [spaceId] });
});

const post = (body: object) =>
  fetch(site.at('~gitbook/mcp'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });

/** Sends a message to the endpoint, and returns what came back. */
async function send(message: object) {
  const response = await post({ jsonrpc: '2.0', id: 1, ...message });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, body: data === '' ? undefined : JSON.parse(data) };
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const call = async (name: string, given: object) => {
  const { body } = await send({ method: 'tools/call', params: { name, arguments: given } });
  return body.result;
};

test('names the site and its tools, which only read', async () => {
  const { status, body } = await send(initialize);
  expect([status, body.result.serverInfo.name]).toEqual([200, 'Acme Docs']);
  const { tools } = (await send({ method: 'tools/list' })).body.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['searchDocumentation', 'getPage', 'listPages']);
  for (const { annotations } of tools) expect(annotations.readOnlyHint).toBe(true);
});

test('searches, lists and reads pages', async () => {
  const found = await call('searchDocumentation', { query: 'chunks' });
  expect(found.content[0].text).toMatch(/^Buffers: http\S*\/acme-docs\/buffers\nA buffer has chunks\./);
  const listed = await call('listPages', {});
  const [, url] = /\[Buffers\]\(([^)]*)\)/.exec(listed.content[0].text) ?? [];
  expect((await call('getPage', { url })).content[0].text).toBe('# Buffers\n\nA buffer has chunks.\n');
  expect((await call('getPage', { url: '/buffers' })).content[0].text).toContain('# Buffers');
  expect((await call('getPage', { url: '/absent' })).isError).toBe(true);
});

test('refuses what it does not know, and sites that exclude agents have no endpoint', async () => {
  expect((await send({ method: 'nothing/known' })).body.error.code).toBe(-32601);
  const listening = await send({ method: 'subscriptions/listen' });
  expect([listening.status, listening.body.error.code]).toEqual([404, -32601]);
  expect((await post([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }])).status).toBe(400);
  await admin.patch(site.path, { agentsContext: 'excluded' });
  const response = await fetch(site.at('~gitbook/mcp'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...initialize }),
  });
  expect(response.status).toBe(404);
});

test.each(['GET', 'DELETE'])(
  '%s is not allowed, since there are neither event streams nor sessions',
  async (method) => {
    const response = await fetch(site.at('~gitbook/mcp'), { method, headers: { accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  },
);

test('pages of other websites cannot use the endpoint', async () => {
  const from = async (origin: string) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', origin };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...initialize });
    return (await fetch(site.at('~gitbook/mcp'), { method: 'POST', headers, body })).status;
  };
  await admin.patch(site.path, { agentsContext: 'included' });
  expect(await Promise.all(['http://localhost:1', 'https://evil.example', 'null', 'nonsense'].map(from))).toEqual([
    200, 403, 403, 403,
  ]);
});
