import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { loadWithAccess } from '../../src/domain/people/access/index.ts';
import { type Actor, ANONYMOUS } from '../../src/platform/access/actor.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { accessThrough } from '../../src/platform/context/database-access.ts';
import { RequestDeadline } from '../../src/platform/context/request-deadline.ts';
import { inTransaction } from '../../src/platform/operation/transact.ts';
import { type ReadByKey, sharedRead } from '../../src/platform/reads/shared-reads.ts';
import { world } from '../world.ts';

const { app, organizationId, admin, reader, guest, outsider, creator } = await world();
const { services } = app;

/** A request of its own. */
const request = (work?: RequestDeadline): Context => ({
  ...accessThrough(services.em.fork(), { statements: 0, milliseconds: 0 }),
  actor: ANONYMOUS,
  services,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
  ...(work && { deadline: work }),
});

/**
 * Upper-case keys, by a statement. The batches are noted. A key `slow` takes half a minute, `nap` half a second, `bad`
 * fails.
 */
function upperCase() {
  const batches: string[][] = [];
  const read: ReadByKey<string> = async (db, keys) => {
    batches.push(keys);
    const { rows } = await sql<{ key: string; value: string }>`
      select key, upper(key) as value,
        case when key like 'slow%' then pg_sleep(30)::text when key = 'nap' then pg_sleep(0.5)::text when key like 'bad%' then (1 / (length(key) - length(key)))::text end as effect
      from unnest(${keys}::text[]) as key where key not like 'absent%'`.execute(db);
    return new Map(rows.map(({ key, value }) => [key, value]));
  };
  return { batches, read: sharedRead(read) };
}

test('requests of one tick share a statement, and each gets what it asked for', async () => {
  const { batches, read } = upperCase();
  const [first, second, third] = [request(), request(), request()];
  const found = await Promise.all([read(first, ['a', 'b']), read(second, ['b', 'absent']), read(third, ['c'])]);
  expect(found.map((map) => Object.fromEntries(map))).toEqual([{ a: 'A', b: 'B' }, { b: 'B' }, { c: 'C' }]);
  expect(batches).toEqual([['a', 'b', 'absent', 'c']]);
  expect([first, second, third].map(({ meter }) => meter?.statements)).toEqual([1, 1, 1]);
});

test('nothing is cached: a later read has a statement of its own', async () => {
  const { batches, read } = upperCase();
  const ctx = request();
  await read(ctx, ['a']);
  await read(ctx, ['a']);
  expect(batches).toEqual([['a'], ['a']]);
});

test('a key that fails the statement fails only the request that asked for it', async () => {
  const { batches, read } = upperCase();
  const [good, bad, other] = await Promise.allSettled([
    read(request(), ['a']),
    read(request(), ['bad']),
    read(request(), ['b']),
  ]);
  expect(good).toMatchObject({ status: 'fulfilled', value: new Map([['a', 'A']]) });
  expect(other).toMatchObject({ status: 'fulfilled', value: new Map([['b', 'B']]) });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } });
  expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

test('keys that PostgreSQL cannot store are absent, and never sent', async () => {
  const { batches, read } = upperCase();
  const found = await Promise.all([
    read(request(), ['nul\u0000', '\ud800', 'x'.repeat(9_000)]),
    read(request(), ['a']),
  ]);
  expect(found.map(({ size }) => size)).toEqual([0, 1]);
  expect(batches).toEqual([['a']]);
});

test('a request that is cancelled or takes too long leaves, and the others go on', async () => {
  const { batches, read } = upperCase();
  const [leaving, late] = [new RequestDeadline(60_000), new RequestDeadline(50)];
  leaving.endsWithClient();
  const reads = [read(request(leaving), ['slow']), read(request(late), ['slow'])];
  const left = Promise.allSettled(reads);
  await expect.poll(() => batches.length).toBe(1);
  // Joins no batch that is already sent.
  expect(Object.fromEntries(await read(request(), ['a']))).toEqual({ a: 'A' });
  leaving.clientLeft();
  const begun = performance.now();
  expect(await left).toMatchObject([
    { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
    { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
  ]);
  expect(performance.now() - begun).toBeLessThan(20_000);
  // No request waits for the statement, so it is cancelled.
  const isAsleep = sql<{ count: number }>`
    select count(*) from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await isAsleep.execute(services.db)).rows[0]?.count, { timeout: 10_000 }).toBe(0);
  expect(batches).toEqual([['slow'], ['a']]);
  leaving.done();
});

/** Upper-case keys, by a read that ends when it is released. */
function releasedReads() {
  const batches: string[][] = [];
  const releases: (() => void)[] = [];
  let running = 0;
  const read = sharedRead<string>(async (_db, keys) => {
    batches.push(keys);
    running++;
    await new Promise<void>((resolve) => releases.push(resolve));
    running--;
    return new Map(keys.map((key) => [key, key.toUpperCase()]));
  });
  return { batches, read, running: () => running, release: () => releases.shift()?.() };
}

test('while three statements run, the next batch grows', async () => {
  const { batches, read, running, release } = releasedReads();
  const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
  const reads: Promise<Map<string, string>>[] = [];
  for (const key of keys) {
    reads.push(read(request(), [key]));
    await nextTurn();
  }
  expect([running(), batches]).toEqual([3, [['key 0'], ['key 1'], ['key 2']]]);
  release();
  await nextTurn();
  expect([running(), batches.length, batches[3]]).toEqual([3, 4, keys.slice(3)]);
  for (let left = 3; left > 0; left--) release();
  expect(await Promise.all(reads)).toEqual(keys.map((key) => new Map([[key, key.toUpperCase()]])));
  expect([running(), batches.length]).toEqual([0, 4]);
});

test('a batch that is full is followed by another one', async () => {
  const batches: string[][] = [];
  const echo: ReadByKey<string> = async (_db, keys) => {
    batches.push(keys);
    return new Map(keys.map((key) => [key, key]));
  };
  const read = sharedRead(echo, { maxBatch: 4 });
  const asked = [['a', 'b'], ['c', 'd'], ['a', 'e'], ['f']];
  const found = await Promise.all(asked.map((keys) => read(request(), keys)));
  expect(found.map((map) => [...map.keys()])).toEqual(asked);
  expect(batches).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', 'e', 'f'],
  ]);
});

test('one request for many keys has a statement for each batch, also in a transaction', async () => {
  const batches: string[][] = [];
  const echo: ReadByKey<string> = async (_db, keys) => {
    batches.push(keys);
    return new Map(keys.map((key) => [key, key]));
  };
  const read = sharedRead(echo, { maxBatch: 2 });
  const keys = ['a', 'b', 'c', 'b', 'd', 'e'];
  const all = new Map(['a', 'b', 'c', 'd', 'e'].map((key) => [key, key]));
  const expected = [['a', 'b'], ['c', 'd'], ['e']];
  expect(await read(request(), keys)).toEqual(all);
  expect(batches.splice(0)).toEqual(expected);
  expect(await inTransaction(request(), (inside) => read(inside, keys))).toEqual(all);
  expect(batches).toEqual(expected);
});

test('in a transaction a read sees what the transaction has written, and is not shared', async () => {
  const batches: string[][] = [];
  const read = sharedRead<string>(async (db, ids) => {
    batches.push(ids);
    const users = await db.selectFrom('user').where('id', 'in', ids).select(['id', 'displayName']).execute();
    return new Map(users.map(({ id, displayName }) => [id, displayName]));
  });
  const [outside, { userId }] = [request(), reader];
  const both = await inTransaction(outside, async (inside) => {
    await inside.db.updateTable('user').set({ displayName: 'Written' }).where('id', '=', userId).execute();
    const found = await Promise.all([read(inside, [userId, userId]), read(outside, [userId])]);
    await inside.db.updateTable('user').set({ displayName: 'Reader' }).where('id', '=', userId).execute();
    return found;
  });
  expect(both.map((map) => map.get(userId))).toEqual(['Written', 'Reader']);
  expect(batches).toEqual([[userId], [userId]]);
});

test('in one batch, callers of all kinds get what they may, and some leave: by cancellation, time or bad keys', async () => {
  const { space } = await creator.mutate('createSpace', { organizationId, title: 'Shared' }, 'space { id }');
  const id = space.id as string;
  const as = (userId: string): Actor => ({ kind: 'user', userId, isOperator: false, by: 'token' });
  const load = (actor: Actor, wanted: string, work?: RequestDeadline) =>
    loadWithAccess<{ title: string }>({ ...request(work), actor }, 'space', wanted).then(
      (row) => row && { title: row.title, role: row.role },
    );
  const callers = [admin, creator, reader, guest, outsider].map(({ userId }) => as(userId));
  await Promise.all(callers.map((actor) => load(actor, id)));

  const statements = vi.spyOn(pg.Client.prototype, 'query');
  const [leaving, leavingAtOnce, late] = [
    new RequestDeadline(60_000),
    new RequestDeadline(60_000),
    new RequestDeadline(200),
  ];
  for (const work of [leaving, leavingAtOnce]) work.endsWithClient();
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = services.db.transaction().execute(async (transaction) => {
    await sql`lock table space in access exclusive mode`.execute(transaction);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const staying = Promise.all([
    ...[...callers, ANONYMOUS].map((actor) => load(actor, id)),
    load(as(admin.userId), 'space_absent'),
    load(as(admin.userId), 'nul\u0000'),
    load(as(admin.userId), '\ud800'),
  ]);
  const left = Promise.allSettled([leaving, leavingAtOnce, late].map((work) => load(as(admin.userId), id, work)));
  leavingAtOnce.clientLeft();
  const texts = () => statements.mock.calls.map(([query]: unknown[]) => (query as { text?: string }).text ?? '');
  const sent = () => texts().filter((text) => text.includes('from "space" r'));
  await expect.poll(() => sent().length).toBe(1);
  leaving.clientLeft();
  const unavailable = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };
  expect(await left).toMatchObject([unavailable, unavailable, unavailable]);
  release.resolve();
  await holder;
  const title = 'Shared';
  expect(await staying).toEqual([
    { title, role: 'admin' },
    { title, role: 'admin' },
    { title, role: 'read' },
    { title, role: null },
    { title, role: null },
    { title, role: null },
    undefined,
    undefined,
    undefined,
  ]);
  expect(sent()).toHaveLength(1);
  for (const work of [leaving, leavingAtOnce]) work.done();
});

test('a batch that fails is read again for those who stay, each alone', async () => {
  const { batches, read } = upperCase();
  const [leaving, late] = [new RequestDeadline(60_000), new RequestDeadline(100)];
  leaving.endsWithClient();
  const reads = [
    read(request(), ['nap', 'a']),
    read(request(leaving), ['a', 'b']),
    read(request(late), ['c']),
    read(request(), ['bad', 'a']),
    read(request(), ['nul\u0000', 'd']),
  ];
  const found = Promise.allSettled(reads);
  await expect.poll(() => batches.length).toBe(1);
  leaving.clientLeft();
  expect(await found).toMatchObject([
    { status: 'fulfilled', value: new Map(Object.entries({ nap: 'NAP', a: 'A' })) },
    { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
    { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
    { status: 'rejected', reason: { message: 'division by zero' } },
    { status: 'fulfilled', value: new Map([['d', 'D']]) },
  ]);
  expect(batches).toEqual([['nap', 'a', 'b', 'c', 'bad', 'd'], ['nap', 'a'], ['bad', 'a'], ['d']]);
  leaving.done();
});

test('callers of every kind in one batch each see what they may', async () => {
  const { space } = await creator.mutate('createSpace', { organizationId, title: 'Shared' }, 'space { id }');
  const clients = [admin, creator, reader, guest, outsider];
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      clients.map((client) =>
        client.graphql('query($id: ID!) { space(id: $id) { title permissions { admin } } }', { id: space.id }),
      ),
    );
    expect(answers.map((answer) => answer.space)).toEqual([
      { title: 'Shared', permissions: { admin: true } },
      { title: 'Shared', permissions: { admin: true } },
      { title: 'Shared', permissions: { admin: false } },
      null,
      null,
    ]);
  }
});

test('the same holds for what belongs to a space: change requests, comments, replies and revisions', async () => {
  const { space } = await creator.mutate('createSpace', { organizationId, title: 'Shared' }, 'space { id }');
  const { changeRequest } = await creator.mutate(
    'createChangeRequest',
    { spaceId: space.id, subject: 'One' },
    'changeRequest { id number revision { id } }',
  );
  const { comment } = await creator.mutate(
    'postComment',
    { changeRequestId: changeRequest.id, body: { markdown: 'Why?' } },
    'comment { id }',
  );
  const { commentReply } = await creator.mutate(
    'postCommentReply',
    { commentId: comment.id, body: { markdown: 'So.' } },
    'commentReply { id }',
  );
  const ofSpace = `/v1/spaces/${space.id}`;
  const paths = [
    `${ofSpace}/change-requests/${changeRequest.id}`,
    `${ofSpace}/change-requests/${changeRequest.number}`,
    `${ofSpace}/change-requests/${changeRequest.number}/comments/${comment.id}`,
    `${ofSpace}/change-requests/${changeRequest.id}/comments/${comment.id}/replies/${commentReply.id}`,
    `${ofSpace}/revisions/${changeRequest.revision.id}?metadata=false`,
  ];
  const elsewhere = `${ofSpace}/comments/${comment.id}`;
  for (let round = 0; round < 5; round++) {
    const statuses = [admin, creator, reader, guest, outsider].map(async (client) => {
      const answers = await Promise.all([...paths, elsewhere].map((path) => client.get(path)));
      return answers.map(({ status }) => status);
    });
    const seen = [200, 200, 200, 200, 200, 404];
    const hidden = [404, 404, 404, 404, 404, 404];
    expect(await Promise.all(statuses)).toEqual([seen, seen, seen, hidden, hidden]);
  }
});

test('a read after a write sees it, from any client', async () => {
  const { space } = await creator.mutate('createSpace', { organizationId, title: 'Before' }, 'space { id }');
  for (let round = 0; round < 20; round++) {
    const title = `Title ${round}`;
    const noise = Promise.all([admin, reader].map((client) => client.get(`/v1/spaces/${space.id}`)));
    await creator.mutate('updateSpace', { spaceId: space.id, title }, 'space { title }');
    expect((await admin.get(`/v1/spaces/${space.id}`)).body.title).toBe(title);
    await noise;
  }
});
