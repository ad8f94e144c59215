import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codingFor } from '../../src/platform/http/compress.ts';
import { world } from '../world.ts';

const { admin, anonymous, organizationId, url } = await world();
const overHttps = await world({ PUBLIC_URL: 'https://docs.example.com' });

/** An answer with its bytes as they came; `fetch` would decode them. */
async function raw(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  const sent = request(`${url}${path}`, { method, headers: { authorization: `Bearer ${admin.token}`, ...headers } });
  sent.end(body);
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  sent.on('response', resolve).on('error', reject);
  const answer = await promise;
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

const preflight = (path: string, method: string) =>
  anonymous.send('OPTIONS', path, undefined, {
    origin: 'https://site.example',
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  });

test('pages of any origin can send requests with a token', async () => {
  for (const [path, methods] of [
    ['/graphql', 'GET, HEAD, POST'],
    [`/v1/orgs/${organizationId}`, 'GET, HEAD, PATCH'],
  ] as const) {
    const { status, headers, body } = await preflight(path, 'POST');
    expect([status, body]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe(methods);
    expect(headers.get('access-control-allow-headers')).toMatch(/^Authorization, Content-Type, Idempotency-Key/);
    expect(headers.get('access-control-max-age')).toBe('86400');
  }
  expect((await preflight('/v1/nothing', 'GET')).status).toBe(404);
});

test('pages can read all responses, including errors, and their useful headers', async () => {
  for (const answer of [await admin.get('/v1/user'), await anonymous.get('/v1/user'), await admin.graphqlRaw('{')]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/X-RateLimit-Remaining.*X-Request-Id/);
    // Nothing goes by cookies.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test('responses forbid browsers to render them', async () => {
  for (const { headers } of [
    await admin.get('/v1/user'),
    await admin.get('/nothing'),
    await admin.graphqlRaw('{ __typename }'),
  ]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('a service under https sends Strict-Transport-Security', async () => {
  const { headers } = await overHttps.admin.get('/v1/user');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('GraphiQL can only run its own script and connect to its own origin', async () => {
  const { headers, body } = await anonymous.send('GET', '/graphql', undefined, { accept: 'text/html' });
  const policy = headers.get('content-security-policy') ?? '';
  const script = body.slice(body.indexOf('<script>') + '<script>'.length, body.indexOf('</script>'));
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}';`);
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).toContain("connect-src 'self'; ");
  expect(policy).not.toMatch(/unsafe-eval|https?:/);
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test('GraphiQL is sent compressed, and once to each browser', async () => {
  const first = await raw('/graphql', { accept: 'text/html', 'accept-encoding': 'gzip, br' });
  expect(first.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept, Accept-Encoding' });
  expect(brotliDecompressSync(first.bytes).toString()).toContain('query Home');
  expect(first.bytes.length).toBeLessThan(3_000_000);
  const again = await raw('/graphql', {
    accept: 'text/html',
    'accept-encoding': 'br',
    'if-none-match': String(first.headers.etag),
  });
  expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, first.headers.etag]);
});

const LONG = JSON.stringify({ query: '{ __schema { types { name } } }' });
const graph = (acceptEncoding?: string) =>
  raw(
    '/graphql',
    {
      'content-type': 'application/json',
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    },
    'POST',
    LONG,
  );

test('long responses are compressed as the client accepts', async () => {
  const plain = await graph();
  const brotli = await graph('gzip, deflate, br');
  const gzip = await graph('gzip;q=0.5, br;q=0');
  expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
  for (const { headers, bytes } of [plain, brotli, gzip]) {
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
  }
});

test('short responses are not compressed', async () => {
  const { headers } = await raw('/v1', { 'accept-encoding': 'br' });
  expect(headers).not.toHaveProperty('content-encoding');
});

test('the ETag of a compressed response works for conditional requests', async () => {
  const title = 'Acme';
  const logo = `https://example.com/${'long'.repeat(300)}.png`;
  const path = `/v1/orgs/${organizationId}`;
  await admin.patch(path, { logo });
  const accept = { 'accept-encoding': 'br' };
  const [plain, compressed] = [await raw(path), await raw(path, accept)];
  const tag = String(compressed.headers.etag);
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(tag).toBe(String(plain.headers.etag).replace(/"$/, '-br"'));
  const again = await raw(path, { ...accept, 'if-none-match': tag });
  expect([again.status, again.headers.etag]).toEqual([304, tag]);
  const plainAgain = await raw(path, { 'if-none-match': String(plain.headers.etag) });
  expect([plainAgain.status, plainAgain.headers.etag]).toEqual([304, plain.headers.etag]);
  const changed = await admin.send('PATCH', path, { title }, { 'if-match': tag });
  expect(changed.status).toBe(200);
  expect((await admin.send('PATCH', path, { title: 'Other' }, { 'if-match': tag })).status).toBe(412);
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['GZIP, BR', 'br'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0.0, gzip; q=0', undefined],
  ['deflate', undefined],
])('a client that accepts %j gets %j', (accepted, coding) => expect(codingFor(accepted)).toBe(coding));
