import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ANONYMOUS_BODY_LIMIT, BODY_LIMIT } from '../../src/platform/http/limits/body-limits.ts';
import { JSON_LIMITS } from '../../src/platform/http/limits/json-scan.ts';
import { world } from '../world.ts';

const { admin, reader, outsider, anonymous, organizationId, url } = await world();

/** A connection that sends what it is told and shows what came back. */
class Raw {
  readonly socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  received = '';

  constructor() {
    this.socket.on('data', (chunk) => {
      this.received += chunk;
    });
    this.socket.on('error', () => {});
  }

  /** The head of a request whose body follows. */
  head(path: string, bytes: number, authorization?: string): this {
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', `Content-Length: ${bytes}`];
    if (authorization !== undefined) lines.push(`Authorization: ${authorization}`);
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return this;
  }

  statuses = () => [...this.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

const bearer = ({ token }: { token: string | undefined }) => `Bearer ${token}`;
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1]));
const soon = { interval: 10 };

test('bodies are limited to 64 kB without a token, and to 10 MB with one', async () => {
  const body = (bytes: number) => `{"query":"{ __typename }"}${' '.repeat(bytes - 26)}`;
  expect((await anonymous.send('POST', '/graphql', body(ANONYMOUS_BODY_LIMIT))).status).toBe(200);
  const refused = await anonymous.send('POST', '/graphql', body(ANONYMOUS_BODY_LIMIT + 1));
  expect([refused.status, refused.body.error.message]).toEqual([
    413,
    'The body is too large; without an access token the limit is 65536 bytes.',
  ]);
  expect((await admin.send('POST', '/graphql', body(BODY_LIMIT))).status).toBe(200);
});

test('a body without a declared length is read up to the limit only', async () => {
  const raw = new Raw();
  raw.socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  raw.socket.write(`Transfer-Encoding: chunked\r\n\r\n11000\r\n${' '.repeat(0x11000)}\r\n`);
  await expect.poll(raw.statuses, soon).toEqual([413]);
  raw.socket.destroy();
});

test('a missing or wrong token is refused before the body arrives', async () => {
  for (const [path, authorization] of [
    ['/v1/orgs', undefined],
    [`/v1/orgs/${organizationId}/uploads`, undefined],
    ['/v1/orgs', 'Bearer stemma_unknown'],
    ['/graphql', 'Bearer stemma_unknown'],
    ['/graphql', 'nonsense'],
  ] as const) {
    const raw = new Raw().head(path, 5_000_000, authorization);
    await expect.poll(raw.statuses, soon).toEqual([401]);
    raw.socket.destroy();
  }
});

test('a body has 30 seconds to arrive without a token, and longer with one', { timeout: 60_000 }, async () => {
  const stranger = new Raw().head('/graphql', 1_000);
  const known = new Raw().head('/graphql', 1_000, bearer(reader));
  const began = Date.now();
  for (const { socket } of [stranger, known]) socket.write('{');
  await expect.poll(() => stranger.statuses(), { timeout: 50_000, interval: 100 }).toEqual([408]);
  expect(Math.round((Date.now() - began) / 10_000)).toBe(3);
  expect(known.statuses()).toEqual([]);
  for (const { socket } of [stranger, known]) socket.destroy();
});

test('errors of a body are not revealed without the required token', async () => {
  for (const body of ['{', '[]', JSON.stringify(members(3_000)), '{"title":1}']) {
    expect((await anonymous.send('POST', '/v1/orgs', body)).status).toBe(401);
  }
});

test('a connection stays open after an API error if the rest of the body is small', async () => {
  const raw = new Raw().head('/v1/orgs', 100_000);
  await expect.poll(raw.statuses, soon).toEqual([401]);
  raw.socket.write(' '.repeat(100_000));
  raw.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(raw.statuses, soon).toEqual([401, 200]);
  raw.socket.destroy();
});

test('a connection is closed if the client keeps sending', async () => {
  const raw = new Raw().head('/v1/orgs', 1_000_000_000);
  await expect.poll(raw.statuses, soon).toEqual([401]);
  await expect.poll(() => raw.socket.destroyed).toBe(true);
});

test('invalid JSON is only reported to callers with permission for the operation', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Space' }, 'space { id }');
  const patch = async (by: typeof admin, id: string) =>
    (await by.send('PATCH', `/v1/spaces/${id}`, '{"title":')).status;
  expect(await patch(admin, space.id)).toBe(400);
  expect(await patch(reader, space.id)).toBe(403);
  expect(await patch(outsider, space.id)).toBe(404);
  expect(await patch(admin, 'space_00000000000000000000000000')).toBe(404);
});

test('unfinished bodies take bounded memory, and none reserved for others', async () => {
  const stalled = Array.from({ length: 6 }, () => new Raw().head('/graphql', BODY_LIMIT, bearer(reader)));
  for (const { socket } of stalled) socket.write(Buffer.alloc(9_000_000, ' '));
  const refused = () => stalled.filter(({ received }) => /^HTTP\/1\.1 503/.test(received));
  await expect.poll(() => refused().length).toBeGreaterThanOrEqual(2);
  for (const { received } of refused()) expect(received.toLowerCase()).toContain('retry-after: 1');

  const large = `{"query":"{ __typename }"}${' '.repeat(9_000_000)}`;
  expect((await admin.send('POST', '/graphql', large)).status).toBe(200);
  for (const { socket } of stalled) socket.destroy();
  await expect.poll(async () => (await reader.send('POST', '/graphql', large)).status, { interval: 100 }).toBe(200);
});

test('unfinished anonymous bodies leave room for callers with a token', async () => {
  const stalled = Array.from({ length: 120 }, () => new Raw().head('/graphql', 65_000));
  for (const { socket } of stalled) socket.write(Buffer.alloc(64_000, ' '));
  await expect.poll(() => stalled.some(({ received }) => /^HTTP\/1\.1 503/.test(received)), soon).toBe(true);
  expect((await admin.graphqlRaw('{ __typename }')).status).toBe(200);
  for (const { socket } of stalled) socket.destroy();
});

test('a body has bounded depth, members and names of members', async () => {
  const values = (count: number) => `[${Array(count).fill('1').join()}]`;
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  for (const [body, message] of [
    [deep(JSON_LIMITS.depth), /must be a JSON object/],
    [deep(JSON_LIMITS.depth + 1), /nested too deeply: at most 256 levels/],
    [values(JSON_LIMITS.values), /must be a JSON object/],
    [values(JSON_LIMITS.values + 1), /too many properties and items: at most 300000/],
    [JSON.stringify(members(JSON_LIMITS.names)), /^title: is required/],
    [JSON.stringify(members(JSON_LIMITS.names + 1)), /too many distinct property names: at most 5000/],
  ] as const) {
    const { status, body: answer } = await admin.send('POST', '/v1/orgs', body);
    expect([status, answer.error.message]).toEqual([400, expect.stringMatching(message)]);
  }
});

test('variables have bounded members and names of members, before they are coerced', async () => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const values = Array(JSON_LIMITS.values).fill(1);
  for (const [variables, message] of [
    [{ ids: values }, /too many properties and items: at most 300000/],
    [{ ids: [members(JSON_LIMITS.names + 1)] }, /too many distinct property names: at most 5000/],
  ] as const) {
    const { status, body } = await admin.graphqlRaw(query, variables);
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ message: expect.stringMatching(message) })],
    ]);
  }
});

test('variables have bounded depth, whichever way they come', async () => {
  const variables = encodeURIComponent(`{"a":${'['.repeat(300)}${']'.repeat(300)}}`);
  const { status, body } = await anonymous.get(`/graphql?query={__typename}&variables=${variables}`);
  expect([status, body.errors[0].message]).toEqual([
    400,
    '"variables" is nested too deeply: at most 256 levels are allowed.',
  ]);
});

test('an address has at most 200 members of a query', async () => {
  const query = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&');
  expect((await admin.get(`/v1/user?${query(200)}`)).status).toBe(200);
  const { status, body } = await admin.get(`/v1/user?${query(201)}`);
  expect([status, body.error.message]).toEqual([400, 'The query string has more than 200 parameters.']);
});
