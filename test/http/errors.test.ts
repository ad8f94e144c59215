import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BODY_LIMIT } from '../../src/platform/http/limits/body-limits.ts';
import { world } from '../world.ts';

const { admin, anonymous, organizationId, url } = await world();

const json = { 'content-type': 'application/json' };
const post = (body: string | Uint8Array, headers: Record<string, string> = json) =>
  admin.send('POST', '/v1/orgs', body, headers);

/** The one error body, with the id that the header bears. */
function expectError({ status, headers, body }: Awaited<ReturnType<typeof post>>, code: number, message: RegExp) {
  expect(status).toBe(code);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  const requestId = headers.get('x-request-id');
  expect(requestId).toMatch(/^req-[0-9a-f-]{36}$/);
  expect(body.error).toMatchObject({ code, message: expect.stringMatching(message), requestId });
}

test.each(['{', 'nonsense', '{"title":"a"', "{'title':'a'}", '\u0000'])('malformed JSON is 400: %j', async (body) => {
  expectError(await post(body), 400, /not valid JSON/);
  expectError(await admin.send('POST', '/graphql', body, json), 400, /not valid JSON/);
});

test.each([[[0xff, 0xfe]], [[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]]])(
  'bytes that are not UTF-8 are 400: %j',
  async (bytes) => {
    expectError(await post(Uint8Array.from(bytes)), 400, /not valid UTF-8/);
    expectError(await admin.send('POST', '/graphql', Uint8Array.from(bytes), json), 400, /not valid UTF-8/);
  },
);

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/html',
  'nonsense',
])('a body of type %s is 415', async (type) => {
  expectError(await post('title=a', { 'content-type': type }), 415, /application\/json/);
  const answer = await admin.send('POST', '/graphql', 'query={__typename}', { 'content-type': type });
  expectError(answer, 415, /application\/json/);
});

test.each(['[]', '"text"', '1', 'true'])('a body that is no object is 400: %s', async (body) => {
  expectError(await post(body), 400, /must be a JSON object/);
  expectError(await admin.send('POST', '/graphql', body, json), 400, /must be a JSON object with a "query"/);
});

test.each(['/nothing', '/v1/nothing', '/v2/user', '/v1/user/../nothing', '/graphql/more', '/%2e%2e/etc/passwd'])(
  '%s is 404',
  async (path) => {
    expectError(await admin.get(path), 404, /does not exist\.$/);
    expectError(await anonymous.get(path), 404, /does not exist\.$/);
  },
);

test('another method is 405 with the allowed methods', async () => {
  for (const [method, path, allowed] of [
    ['DELETE', '/v1/user', 'GET, HEAD'],
    ['POST', '/v1/user/', 'GET, HEAD'],
    ['PATCH', '/graphql', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/readyz?x=1', 'GET, HEAD'],
  ] as const) {
    const answer = await admin.send(method, path);
    expectError(answer, 405, new RegExp(`^${method} is not allowed here\\. Allowed: ${allowed}\\.$`));
    expect(answer.headers.get('allow')).toBe(allowed);
  }
});

test('a client that reserves a stream is told that the mode is not supported', async () => {
  const { status, headers, body } = await anonymous.send('PUT', '/graphql');
  expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
  expect(body.error.message).toContain('single connection mode');
});

test('a body over 10 MB is 413, announced or not', async () => {
  const large = `{"title":"${'a'.repeat(BODY_LIMIT)}"}`;
  expectError(await post(large), 413, /limit is 10 MB/);
  const chunks = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent <= BODY_LIMIT; sent += 1 << 20) controller.enqueue(new Uint8Array(1 << 20).fill(32));
      controller.close();
    },
  });
  const headers = { ...json, authorization: `Bearer ${admin.token}` };
  const request = { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit; // `duplex` is not typed yet
  const answer = await fetch(`${url}/v1/orgs`, request);
  expectError({ status: answer.status, headers: answer.headers, body: await answer.json() }, 413, /limit is 10 MB/);
});

test('a body of nearly 10 MB is read', async () => {
  const { status } = await admin.send('POST', '/graphql', {
    query: `#${'a'.repeat(BODY_LIMIT - 100)}\n{ __typename }`,
  });
  expect(status).toBe(200);
});

test('a path that is not percent-encoded UTF-8 is 400', async () => {
  expectError(await admin.get('/v1/orgs/%'), 400, /"%" must begin an encoded UTF-8 byte/);
  expectError(await admin.get('/v1/orgs/%ff'), 400, /"%" must begin an encoded UTF-8 byte/);
});

test('a million brackets are refused, closed or not', async () => {
  for (const body of [
    '['.repeat(1e6),
    '['.repeat(1e6) + ']'.repeat(1e6),
    `{"title":"Deep","unknown":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
    `{"title":${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}}`,
  ]) {
    expectError(await post(body), 400, /nested too deeply: at most 256 levels/);
  }
});

test('invalid HTTP gets the same error body', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('nonsense\r\n\r\n');
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const requestId = /x-request-id: (.*)/i.exec(head)?.[1];
  expect(JSON.parse(body)).toEqual({ error: { code: 400, message: 'Not a valid HTTP request.', requestId } });
});

test('headers over 16 kB are 431', async () => {
  const answer = await admin.send('GET', '/v1/user', undefined, { 'x-long': 'a'.repeat(20_000) });
  expect(answer.status).toBe(431);
  expect(answer.body.error).toMatchObject({ code: 431 });
});

test.each(['-1', '1001', '1.5', 'ten', '', '1e9', 'NaN'])('limit=%s is 400', async (limit) => {
  expectError(await admin.get(`/v1/orgs?limit=${limit}`), 400, /^limit: /);
});

test.each(['maybe', '1', '', 'TRUE'])('a boolean cannot be %j', async (nested) => {
  expectError(
    await admin.get(`/v1/orgs/${organizationId}/collections?nested=${nested}`),
    400,
    /^nested: must be true or false, not a string/,
  );
});

test('unknown parameters are ignored, and the last of repeated ones counts', async () => {
  const path = `/v1/orgs/${organizationId}/collections`;
  expect((await admin.get(`${path}?unknown=1&nested=maybe&nested=true`)).status).toBe(200);
});

test('limit=0 returns no items, but a count', async () => {
  expect((await admin.get('/v1/orgs?limit=0')).body).toEqual({ count: expect.any(Number), items: [] });
});

test.each([
  ['nonsense', 'nonsense'],
  ['NUL', '%00'],
  ['values without a signature', 'WyJhIl0'],
  ['five thousand characters', 'A'.repeat(5000)],
])('a cursor that is %s is 400', async (_what, page) => {
  expectError(await admin.get(`/v1/orgs?page=${page}`), 400, /^page: /);
});

test.each(['org_00000000000000000000000000', 'nonsense', '%F0%9F%92%A9', "'%20or%20true--", '%E2%80%AE'])(
  'an unknown id is 404: %s',
  async (id) => {
    expectError(
      await admin.get(`/v1/orgs/${id}`),
      404,
      /^The organization ".*" does not exist, or you cannot see it\.$/,
    );
  },
);

test.each([
  ['NUL', '%00'],
  ['NUL behind its prefix', 'org_%00'],
  ['201 characters', 'a'.repeat(201)],
  ['ten thousand characters', 'a'.repeat(10_000)],
  ['more than a path may have', 'a'.repeat(16_385)],
])('an id of %s is refused', async (_what, id) => {
  const { status, body } = await admin.get(`/v1/orgs/${id}`);
  expect([400, 404, 431]).toContain(status);
  expect(body.error).toMatchObject({ code: status, requestId: expect.any(String) });
});

test('an unknown or malformed token is 401 everywhere, with how to send one', async () => {
  for (const authorization of ['Bearer stemma_unknown', 'Basic YTpi', 'Bearer', 'stemma_x', 'Bearer a b']) {
    const rest = await anonymous.send('GET', `/v1/orgs/${organizationId}`, undefined, { authorization });
    expectError(rest, 401, /token|Bearer/);
    expect(rest.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", resource_metadata="http.*\/\.well-known\/oauth-protected-resource\/v1"$/,
    );
    const graph = await anonymous.send('POST', '/graphql', { query: '{ __typename }' }, { authorization });
    expectError(graph, 401, /token|Bearer/);
    expect(graph.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  }
});

test.each([
  ['control characters', 'a\u0000b'],
  ['an escape sequence', '\u001b[31mred'],
  ['a mark that turns the direction of writing', 'txt.\u202egpj'],
  ['a lone surrogate', 'a\ud800b'],
  ['ten kilobytes', 'a'.repeat(10_240)],
  ['nothing', ''],
])('a title with %s is refused, and nothing is written', async (_what, title) => {
  const count = async () => (await admin.get('/v1/orgs?limit=0')).body.count;
  const before = await count();
  const rest = await admin.post('/v1/orgs', { title });
  expectError(rest, 400, /title/);
  expect(rest.body.error.issues).toContainEqual({
    path: ['title'],
    message: expect.any(String),
    code: expect.stringMatching(/^(?:INVALID_FORMAT|TOO_LONG|TOO_SHORT)$/),
  });
  await expect(admin.mutate('createOrganization', { title }, 'organization { id }')).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  expect(await count()).toBe(before);
});

test('a title from right to left, with emoji and quotes, comes back as it was sent', async () => {
  const title = `مرحبا 👩‍👩‍👧 "'<script>\\u0000`;
  const { status, body } = await admin.post('/v1/orgs', { title });
  expect(status).toBe(201);
  expect(body.title).toBe(title);
});
