import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Context } from '../../src/platform/context/context.ts';
import { removeEndedKeys } from '../../src/platform/idempotency/claim.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { command } from '../../src/platform/operation/operation.ts';
import type { Client } from '../client.ts';
import { statementsOf } from '../client.ts';
import { world } from '../world.ts';

const HOUR = 60 * 60 * 1000;
const { app, organizationId, admin, creator, reader, outsider, anonymous, advance } = await world();
const { em, db } = app.services;

const collections = `/v1/orgs/${organizationId}/collections`;

const rest = (client: Client, key: string, body: unknown, path = collections) =>
  client.send('POST', path, body, { 'idempotency-key': key });

const inGraph = (client: Client, idempotencyKey: string, title: string, rest = {}) =>
  client.mutate('createCollection', { organizationId, title, idempotencyKey, ...rest }, 'collection { id title }');

async function titled(title: string): Promise<number> {
  const { count } = await db
    .selectFrom('collection')
    .where('title', '=', title)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const kept = (key: string) => db.selectFrom('idempotency_key').where('key', '=', key).selectAll().execute();

const contextOf = ({ userId }: Client): Context => ({
  actor: { kind: 'user', userId, isOperator: false, by: 'token' },
  em: em.fork(),
  db,
  services: app.services,
  requestId: 'req-test',
  log: app.services.log,
  inTransaction: false,
});

/** A command that notes each of its runs, and makes a team in each. */
function makeTeam(steps: { prepare?(): void; body?(ctx: Context): Promise<void> } = {}) {
  const operation = command({
    name: 'makeTeam',
    scope: 'write',
    description: 'Makes a team.',
    input: z.object({ title: z.string() }),
    prepare: async () => steps.prepare?.(),
    async run(ctx, { title }) {
      await ctx.db
        .insertInto('team')
        .values({ id: newId('team'), organizationId, title })
        .execute();
      await steps.body?.(ctx);
      return { title };
    },
  });
  const send = (title: string, idempotencyKey: string) => operation(contextOf(creator), { title }, { idempotencyKey });
  const teams = (title: string) => db.selectFrom('team').where('title', '=', title).selectAll().execute();
  return { send, teams };
}

test('a repeated write over REST runs once, and returns the current state', async () => {
  const first = await rest(creator, 'rest', { title: 'Once' });
  expect(first.status).toBe(201);
  await db.updateTable('collection').set({ title: 'Renamed' }).where('id', '=', first.body.id).execute();
  const again = await rest(creator, 'rest', { title: 'Once' });
  expect(again.status).toBe(201);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect(again.body).toEqual({ ...first.body, title: 'Renamed' });
  expect(await titled('Once')).toBe(0);
});

test('a repeated mutation runs once, regardless of clientMutationId', async () => {
  const first = await inGraph(creator, 'graph', 'In the graph');
  const again = await inGraph(creator, 'graph', 'In the graph', { clientMutationId: 'second' });
  expect(again).toEqual(first);
  expect(await titled('In the graph')).toBe(1);
});

test('the header and the member of the input are one key', async () => {
  const { body } = await rest(creator, 'both', { title: 'Both ways' });
  expect(await inGraph(creator, 'both', 'Both ways')).toEqual({ collection: { id: body.id, title: 'Both ways' } });
  expect((await rest(creator, 'both', { title: 'Both ways' })).body.id).toBe(body.id);
  expect(await titled('Both ways')).toBe(1);
});

test('another input with the same key is a CONFLICT', async () => {
  await rest(creator, 'taken "key"', { title: 'First' });
  const { status, body } = await rest(creator, 'taken "key"', { title: 'Second' });
  expect(status).toBe(409);
  expect(body.error.message).toContain(JSON.stringify('taken "key"'));
  await expect(inGraph(creator, 'taken "key"', 'Second')).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await titled('Second')).toBe(0);
});

test('a key belongs to one user and one operation', async () => {
  const mine = await inGraph(creator, 'shared', 'Shared key');
  const theirs = await inGraph(admin, 'shared', 'Shared key');
  expect(theirs.collection.id).not.toBe(mine.collection.id);
  const space = await rest(creator, 'shared', { title: 'A space' }, `/v1/orgs/${organizationId}/spaces`);
  expect(space.status).toBe(201);
  expect(space.body.object).toBe('space');
  expect(await kept('shared')).toHaveLength(3);
});

test('twenty concurrent repetitions run once and get the same response', async () => {
  const twins = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0
      ? rest(creator, 'twins', { title: 'Twin' }).then(({ body }) => body.id)
      : inGraph(creator, 'twins', 'Twin').then(({ collection }) => collection.id),
  );
  expect(new Set(await Promise.all(twins)).size).toBe(1);
  expect(await titled('Twin')).toBe(1);
});

test('a concurrent repetition waits for the first, and runs if that rolls back', async () => {
  const failure = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const runs: string[] = [];
  const first = makeTeam({
    async body() {
      runs.push('first');
      started.resolve();
      await failure.promise;
    },
  }).send('Waited for', 'wait');
  await started.promise;
  const { send, teams } = makeTeam({
    async body() {
      runs.push('second');
    },
  });
  const second = send('Waited for', 'wait');
  await expect.poll(waiting).toBe(1);
  expect(runs).toEqual(['first']);
  failure.reject(new Error('on purpose'));
  await expect(first).rejects.toThrow('on purpose');
  expect(await second).toEqual({ title: 'Waited for' });
  expect(runs).toEqual(['first', 'second']);
  expect(await teams('Waited for')).toHaveLength(1);
});

/** How many sessions of this database wait for another one. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return Number(rows[0]?.count);
}

test('a lost connection releases the key', async () => {
  const cut = makeTeam({
    async body(ctx) {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(ctx.db);
    },
  });
  await expect(cut.send('Cut', 'cut')).rejects.toThrow();
  expect(await kept('cut')).toEqual([]);
  const { send, teams } = makeTeam();
  await send('Cut', 'cut');
  await send('Cut', 'cut');
  expect(await teams('Cut')).toHaveLength(1);
});

test('a deadlock runs the body again under the same key', async () => {
  let attempts = 0;
  const { send, teams } = makeTeam({
    async body() {
      attempts++;
      if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    },
  });
  await send('Again', 'deadlock');
  await send('Again', 'deadlock');
  expect(attempts).toBe(2);
  expect(await teams('Again')).toHaveLength(1);
});

test('API errors are not stored: the same request works later', async () => {
  const path = `/v1/orgs/${organizationId}`;
  const send = () => admin.send('PATCH', path, { hostname: 'taken-docs' }, { 'idempotency-key': 'refused' });
  await outsider.patch(`/v1/orgs/${(await outsider.get('/v1/orgs')).body.items[0].id}`, { hostname: 'taken-docs' });
  expect((await send()).status).toBe(409);
  expect(await kept('refused')).toEqual([]);
  await db.updateTable('organization').set({ hostname: null }).where('hostname', '=', 'taken-docs').execute();
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(200);
});

test('preparation does not run again for a completed command', async () => {
  let prepared = 0;
  const { send } = makeTeam({
    prepare() {
      prepared++;
    },
  });
  await send('Slow', 'slow');
  await send('Slow', 'slow');
  expect(prepared).toBe(1);
  await expect(send('Another', 'slow')).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(prepared).toBe(1);
});

test('a command inside another does not take its key', async () => {
  const { send, teams } = makeTeam({
    body: async (ctx) => {
      await inner(ctx, {});
      await inner(ctx, {});
    },
  });
  let runs = 0;
  const inner = command({
    name: 'makeTeam',
    scope: 'write',
    description: 'Counts.',
    input: z.object({}),
    run: async () => ++runs,
  });
  await send('Outer', 'nested');
  await send('Outer', 'nested');
  expect(runs).toBe(2);
  expect(await teams('Outer')).toHaveLength(1);
});

test('a secret is neither stored nor returned again', async () => {
  const first = await rest(creator, 'secret', { label: 'build' }, '/v1/user/tokens');
  expect(first.body.secret).toMatch(/^stemma_/);
  const { secret, ...token } = first.body;
  expect((await rest(creator, 'secret', { label: 'build' }, '/v1/user/tokens')).body).toEqual(token);
  const input = { label: 'build', idempotencyKey: 'secret' };
  expect(await creator.mutate('createApiToken', input, 'apiToken { id } secret')).toEqual({
    apiToken: { id: token.id },
    secret: null,
  });
  expect(JSON.stringify(await kept('secret'))).not.toContain(secret);
  expect((await kept('secret'))[0]?.outcome).toEqual({ apiToken: { id: token.id }, secret: null });
});

test('repetitions return accounts and tokens created for others', async () => {
  const account = { email: 'twice@example.com', displayName: 'Twice' };
  const user = await rest(admin, 'account', account, '/v1/users');
  expect(user.status).toBe(201);
  const again = await rest(admin, 'account', account, '/v1/users');
  expect([again.status, again.body]).toEqual([201, user.body]);
  const wanted = { userId: user.body.id, label: 'theirs' };
  const { secret, ...token } = (await rest(admin, 'token', wanted, '/v1/user/tokens')).body;
  expect(secret).toMatch(/^stemma_/);
  expect((await rest(admin, 'token', wanted, '/v1/user/tokens')).body).toEqual(token);
});

test('only ids are stored, and resources that became hidden are not returned', async () => {
  const first = await rest(creator, 'lost', { title: 'Lost' });
  expect((await kept('lost'))[0]?.outcome).toEqual({ collection: { id: first.body.id } });
  await db.deleteFrom('grant').where('targetId', '=', first.body.id).execute();
  await db.updateTable('membership').set({ isDisabled: true }).where('userId', '=', creator.userId).execute();
  const again = await rest(creator, 'lost', { title: 'Lost' });
  await db.updateTable('membership').set({ isDisabled: false }).where('userId', '=', creator.userId).execute();
  expect(again.status).toBe(404);
  expect(await titled('Lost')).toBe(1);
});

test('a repeated deletion returns the same payload', async () => {
  const { body } = await creator.post(`/v1/orgs/${organizationId}/spaces`, { title: 'To go' });
  const input = { spaceId: body.id, idempotencyKey: 'deletion' };
  expect(await creator.mutate('deleteSpace', input, 'deletedId')).toEqual({ deletedId: body.id });
  expect(await creator.mutate('deleteSpace', input, 'deletedId')).toEqual({ deletedId: body.id });
});

test('a repetition completes an aborted upload, and further ones change nothing', async () => {
  const path = `/v1/orgs/${organizationId}/uploads`;
  const send = (text: string) =>
    reader.send('POST', path, new TextEncoder().encode(text), {
      'idempotency-key': 'bytes',
      'content-type': 'text/plain',
    });
  expect((await send('')).status).toBe(400);
  const answers = await Promise.all([send('the bytes'), send('the bytes'), send('the bytes')]);
  answers.push(await send('the bytes'));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect((await send('other bytes')).status).toBe(409);
  const uploads = await db.selectFrom('upload').where('userId', '=', reader.userId).selectAll().execute();
  expect(uploads).toHaveLength(1);
});

test.each(['', 'a'.repeat(256), 'tab\tinside'])('refuses the key %j', async (key) => {
  await expect(inGraph(creator, key, 'Never')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const { status, body } = await rest(creator, key, { title: 'Never' });
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual(['Idempotency-Key']);
  expect(await titled('Never')).toBe(0);
});

test('takes keys of 255 characters of any script in the graph', async () => {
  const key = '🔑'.repeat(255);
  const first = await inGraph(creator, key, 'Long key');
  expect(await inGraph(creator, key, 'Long key')).toEqual(first);
});

test('without access the response is the same as without a key', async () => {
  expect((await rest(outsider, 'x'.repeat(300), { title: 'No' })).status).toBe(404);
  expect((await rest(reader, 'x'.repeat(300), { title: 'No' })).status).toBe(403);
  expect((await rest(anonymous, 'x', { title: 'No' })).status).toBe(401);
  expect(await kept('x')).toEqual([]);
});

test('a key costs two statements', async () => {
  const cost = async (headers: Record<string, string>) =>
    statementsOf(await creator.send('POST', collections, { title: 'Cost' }, headers));
  const plain = await cost({});
  expect(await cost({ 'idempotency-key': 'cost' })).toBe(plain + 2);
  expect(await cost({})).toBe(plain);
  expect(await cost({ 'idempotency-key': 'cost' })).toBeLessThan(plain);
});

// These move the clock, so they come last.
test('a key expires after 24 hours, for concurrent repetitions too', async () => {
  const first = await inGraph(creator, 'day', 'Daily');
  advance(24 * HOUR - 60_000);
  expect(await inGraph(creator, 'day', 'Daily')).toEqual(first);
  advance(61_000);
  const others = await Promise.all([1, 2, 3, 4].map(() => inGraph(creator, 'day', 'Daily')));
  expect(new Set(others.map(({ collection }) => collection.id)).size).toBe(1);
  expect(others[0].collection.id).not.toBe(first.collection.id);
  expect(await titled('Daily')).toBe(2);
});

test('expired keys are removed; others stay', async () => {
  await inGraph(creator, 'fresh', 'Fresh');
  await removeEndedKeys(db, app.services.clock(), new AbortController().signal);
  expect(await kept('both')).toEqual([]);
  expect(await kept('day')).toHaveLength(1);
  expect(await kept('fresh')).toHaveLength(1);
});

test('a command that has lost its key is rolled back', async () => {
  const { send, teams } = makeTeam({
    async body(ctx) {
      await ctx.db.deleteFrom('idempotency_key').where('key', '=', 'lost').execute();
    },
  });
  await expect(send('Lost', 'lost')).rejects.toThrow('has lost its idempotency key');
  expect(await teams('Lost')).toEqual([]);
});

test('a command whose transaction PostgreSQL rolls back in the end has not run, and runs with its key later', async () => {
  let failures = 0;
  const { send, teams } = makeTeam({
    async body(ctx) {
      if (failures++ > 1) return;
      await sql`select 1 / 0`.execute(ctx.db).catch(() => {});
    },
  });
  expect(await send('Rolled back', 'rolled back')).toEqual({ title: 'Rolled back' });
  expect(failures).toBe(3);
  expect(await teams('Rolled back')).toHaveLength(1);
  expect(await send('Rolled back', 'rolled back')).toEqual({ title: 'Rolled back' });
  expect(await teams('Rolled back')).toHaveLength(1);
});
