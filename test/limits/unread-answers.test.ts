import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { listening } from '../mcp/sdk-client.ts';
import { publishedSite, spaceOfLongPages } from '../publishing/reader-world.ts';
import { type RawRequest, sendRaw, textOf } from '../raw-requests.ts';
import { Stream } from '../stream.ts';
import { world } from '../world.ts';

const METRICS_TOKEN = 'a-token-for-Prometheus-alone';
const MEGABYTE = 1_000_000;
const MAX_ANSWER = 12 * MEGABYTE;

// The memory of all responses is six times the largest, of anonymous ones three times, and of one caller twice.
const { url, admin, editor, reader, commenter, organizationId } = await world({
  MAX_ANSWER_MB: String(MAX_ANSWER / MEGABYTE),
  TRUST_PROXY: '1',
  METRICS_TOKEN,
});
const prometheus = new Client(url, METRICS_TOKEN);

let spaceId: string;
let siteBase: string;
/** The path of a file that is larger than what connections buffer. */
let download: string;

beforeAll(async () => {
  spaceId = await spaceOfLongPages(admin, organizationId, 25);
  const upload = await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, randomBytes(20 * MEGABYTE), {
    'content-type': 'application/octet-stream',
  });
  const changes = [{ insertFiles: { files: [{ name: 'large.bin', uploadId: upload.body.id }] } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const { body: files } = await admin.get(`/v1/spaces/${spaceId}/content/files`);
  download = new URL(files.items[0].downloadURL).pathname;
  ({ base: siteBase } = await publishedSite(admin, organizationId, { title: 'Long', spaces: [spaceId] }));
});

/**
 * A query with a response of 7.6 MB: more than connections buffer. Three are less than twice the largest, and four
 * more.
 */
const largeQuery = () => {
  const texts = Array.from({ length: 10 }, (_, index) => `t${index}: markdown`).join(' ');
  const pages = [0, 1, 2, 3].map(
    (index) => `p${index}: page(path: "page-${index}") { ... on DocumentPage { ${texts} } }`,
  );
  return `{ space(id: "${spaceId}") { revision { ${pages.join(' ')} } } }`;
};

const by = ({ token }: Client) => ({ authorization: `Bearer ${token}` });
const from = (address: string) => ({ 'x-forwarded-for': address });
const EVENTS = { accept: 'text/event-stream' };

const large = (headers: Record<string, string>): RawRequest => ({
  path: '/graphql',
  headers,
  body: JSON.stringify({ query: largeQuery() }),
});

const answerTo = async (query: string, headers: Record<string, string>) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
};

const statusOf = async (headers: Record<string, string>) => (await answerTo(largeQuery(), headers)).status;

async function heldBy(share: 'all' | 'anonymous'): Promise<number> {
  const { body } = await prometheus.get('/metrics');
  return Number(new RegExp(`^stemma_held_bytes\\{what="answers",share="${share}"\\} (\\d+)$`, 'm').exec(body)?.[1]);
}

const [one, another, third] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
const sockets: ReturnType<typeof sendRaw>[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});
const leave = (...requests: RawRequest[]) => sockets.push(sendRaw(url, ...requests));

test('a long response is complete, has its length, and can be compressed or sent as an event', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...by(admin), ...headers },
      body: JSON.stringify({ query: largeQuery() }),
    });
  const plain = await send({ 'accept-encoding': 'identity' });
  const text = await plain.text();
  expect(JSON.parse(text).data.space.revision.p3.t9.length).toBeGreaterThan(100_000);
  expect([text.length > 7 * MEGABYTE, plain.headers.get('content-length')]).toEqual([
    true,
    String(Buffer.byteLength(text)),
  ]);
  for (const coding of ['gzip', 'br']) {
    const encoded = await send({ 'accept-encoding': coding });
    expect(encoded.headers.get('content-encoding')).toBe(coding);
    expect(Number(encoded.headers.get('content-length'))).toBeLessThan(text.length / 2);
    expect((await encoded.text()) === text).toBe(true);
  }
  const events = await send(EVENTS).then((response) => response.text());
  expect(events.includes(`data: ${text}\n\n`)).toBe(true);

  const page = await fetch(`${url}${siteBase}/llms-full.txt`, { headers: { 'accept-encoding': 'identity' } });
  const bytes = Buffer.from(await page.arrayBuffer());
  expect(bytes.length).toBeGreaterThan(MEGABYTE);
  expect(page.headers.get('content-length')).toBe(String(bytes.length));
});

test('pages of sites that are not read are counted until their client leaves', async () => {
  const part = { method: 'GET', path: `${siteBase}/llms-full.txt`, headers: from(one) } as const;
  const socket = sendRaw(url, part, part, part);
  await expect.poll(() => heldBy('anonymous')).toBeGreaterThan(3 * MEGABYTE);
  socket.destroy();
  await expect.poll(() => heldBy('all')).toBe(0);
});

test('short responses are counted while they wait for another one of their connection', async () => {
  const subscription = { query: `subscription { spaceUpdated(id: "${spaceId}") { title } }` };
  const stream = { path: '/graphql', headers: { ...by(commenter), ...EVENTS }, body: JSON.stringify(subscription) };
  const short = { method: 'GET', path: `/v1/spaces/${spaceId}`, headers: by(commenter) } as const;
  const socket = sendRaw(url, stream, ...Array.from({ length: 100 }, () => short));
  await expect.poll(() => heldBy('all')).toBeGreaterThan(100 * 4_096);
  socket.destroy();
  await expect.poll(() => heldBy('all')).toBe(0);
});

test('an address can have 50 downloads at a time, and others wait', async () => {
  const part = { method: 'GET', path: download, headers: from(third) } as const;
  const unread = Array.from({ length: 50 }, () => sendRaw(url, part));
  await Promise.all(unread.map((socket) => once(socket, 'readable')));
  const start = (address: string) => fetch(`${url}${download}`, { headers: { ...from(address), range: 'bytes=0-9' } });
  let isServed = false;
  const waiting = start(third).then((response) => {
    isServed = true;
    return response.status;
  });
  expect((await start(another)).status).toBe(206);
  expect(isServed).toBe(false);
  unread[0]?.destroy();
  expect(await waiting).toBe(206);
  for (const socket of unread) socket.destroy();
});

test('responses that are not read use up the memory of their address, and of all callers without a token', async () => {
  for (const address of [one, one, one, another]) leave(large(from(address)));
  await expect.poll(() => heldBy('anonymous')).toBeGreaterThan(4 * 7.5 * MEGABYTE);
  expect(await answerTo(largeQuery(), from(third))).toMatchObject({ status: 503, retryAfter: '1' });
  expect(await answerTo('{ __typename }', from(third))).toMatchObject({ status: 200 });
  expect(await statusOf(by(admin))).toBe(200);
});

test('after some seconds, the address with the most of that memory loses a response to others', async () => {
  await expect.poll(() => statusOf(from(third)), { timeout: 10_000, interval: 500 }).toBe(200);
  await expect.poll(() => heldBy('anonymous')).toBeLessThan(3.5 * 7.5 * MEGABYTE);
});

test('event streams that are not read use up the memory of their caller, and are among its streams', async () => {
  for (let count = 0; count < 3; count++) leave(large({ ...by(reader), ...EVENTS }));
  await expect.poll(() => heldBy('all')).toBeGreaterThan((3 + 3) * 7.5 * MEGABYTE);
  const { text } = await answerTo(largeQuery(), { ...by(reader), ...EVENTS });
  expect(text).toContain('"code":"SERVICE_UNAVAILABLE"');
  expect(text).toMatch(/\nevent: complete\ndata:\n\n$/);

  const query = 'subscription ($id: ID!) { spaceUpdated(id: $id) { title } }';
  const streams = Array.from({ length: 18 }, () => new Stream(reader, { query, variables: { id: spaceId } }));
  await expect.poll(() => streams.filter(({ status }) => status === 429)).toHaveLength(1);
  for (const stream of streams) stream.close();
});

test('clients that do not read are cut off, and slow ones are not', { timeout: 120_000 }, async () => {
  const slow = sendRaw(url, large(by(admin)));
  // What comes behind a stream has to wait for its end.
  const subscription = { query: `subscription { spaceUpdated(id: "${spaceId}") { title } }` };
  const { body: content } = await editor.get(`/v1/spaces/${spaceId}/content/pages`);
  const { message, headers } = listening([`stemma://spaces/${spaceId}/pages/${content.pages[0].id}`]);
  const onePage = `{ space(id: "${spaceId}") { revision { page(path: "page-0") { ... on DocumentPage { markdown } } } } }`;
  const events = { path: '/graphql', headers: EVENTS, body: JSON.stringify(subscription) };
  const streams: [Client, RawRequest, string][] = [
    [commenter, events, onePage],
    [commenter, events, '{ __typename }'],
    [editor, { path: '/mcp', headers, body: JSON.stringify(message) }, onePage],
  ];
  const unread = sendRaw(url, { method: 'GET', path: download });
  const behind = streams.map(([client, stream, query]) => {
    const socket = sendRaw(url, { ...stream, headers: { ...by(client), ...stream.headers } }).resume();
    socket.write(textOf({ path: '/graphql', headers: by(client), body: JSON.stringify({ query }) }));
    return socket;
  });

  const began = performance.now();
  let received = 0;
  for (let chunk: Buffer | null = null; received < 7.6 * MEGABYTE; chunk = slow.read()) {
    received += chunk?.length ?? 0;
    // As much as keeps it longer than clients that do not read.
    await sleep(Math.max(0, (received / (7.6 * MEGABYTE)) * 45_000 - (performance.now() - began)));
    if (slow.destroyed) break;
    if (chunk === null) await sleep(50);
  }
  expect(received).toBeGreaterThanOrEqual(7.6 * MEGABYTE);
  slow.destroy();

  await expect.poll(() => behind.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  // A paused socket shows the end of its connection when it has been read.
  unread.resume();
  await expect.poll(() => unread.destroyed).toBe(true);
  expect(unread.bytesRead).toBeLessThan(19 * MEGABYTE);
  await expect.poll(() => heldBy('all')).toBe(0);
  expect([await statusOf(from(third)), await statusOf(by(reader))]).toEqual([200, 200]);
});
