import { expect, inject, test } from 'vitest';
import { administer } from '../database.ts';
import { world } from '../world.ts';

const { admin, anonymous } = await world();
const untimed = await world({ SERVER_TIMING: '0' });

test('every response has its own request id and forbids MIME sniffing', async () => {
  const answers = await Promise.all([
    admin.get('/v1/user'),
    admin.get('/nothing'),
    admin.graphqlRaw('{ __typename }'),
    anonymous.get('/healthz'),
  ]);
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(answers.length);
  for (const id of ids) expect(id).toMatch(/^req-[0-9a-f-]{36}$/);
  for (const { headers } of answers) expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('a request id from the client is ignored', async () => {
  const { headers } = await admin.send('GET', '/healthz', undefined, { 'x-request-id': 'mine' });
  expect(headers.get('x-request-id')).not.toBe('mine');
});

test('every response has its statement count if the setting is on', async () => {
  const timingOf = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('server-timing');
  expect(await timingOf(admin.graphqlRaw('{ viewer { id } }'))).toMatch(/^sql;desc="[1-9]\d*";dur=\d+\.\d$/);
  expect(await timingOf(admin.get('/v1/user'))).toMatch(/^sql;desc="[1-9]/);
  for (const path of ['/healthz', '/nothing', '/graphql'])
    expect(await timingOf(admin.get(path))).toMatch(/^sql;desc="\d/);
  expect(await timingOf(untimed.admin.get('/v1/user'))).toBeNull();
});

test('HEAD answers as GET does, without the body', async () => {
  const { status, headers, body } = await admin.send('HEAD', '/v1/user');
  expect([status, body]).toEqual([200, '']);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('HEAD of an event stream answers with its headers', async () => {
  const path = `/graphql?query=${encodeURIComponent('{ __typename }')}`;
  const { status, headers } = await anonymous.send('HEAD', path, undefined, { accept: 'text/event-stream' });
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')]);
});

test('is live and ready; without its database live but not ready, without revealing the cause', async () => {
  const { databaseUrl, admin: caller } = await world({ LOG_LEVEL: 'silent', REQUEST_TIMEOUT_MS: '5000' });
  expect(await caller.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await caller.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });

  const { adminUrl } = inject('databases');
  await administer(adminUrl, `drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
  expect((await caller.get('/healthz')).status).toBe(200);
  expect(await caller.get('/readyz')).toMatchObject({ status: 503, body: { status: 'not ready' } });
  const { status, headers, body } = await caller.get('/v1/user');
  const requestId = headers.get('x-request-id');
  const message = 'The service is busy. Try again later.';
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(body).toEqual({ error: { code: 503, message, requestId } });
});
