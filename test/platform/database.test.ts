import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { Webhook } from '../../src/domain/insight/webhooks/entity.ts';
import { User } from '../../src/domain/people/users/entity.ts';
import { abortable } from '../../src/platform/database/abortable.ts';
import { columnOf, propertyOf } from '../../src/platform/database/column-names.ts';
import { databaseOf } from '../../src/platform/database/tables.ts';
import { administer, makeDatabase } from '../database.ts';

const database = await makeDatabase();
const { orm, db, pool, observe, close } = await connect(database.directUrl ?? database.url, { poolSize: 1 });
const texts: string[] = [];
observe((text) => {
  texts.push(text);
  return () => {};
});

afterAll(async () => {
  await close();
  await database.drop();
});

const now = '2026-01-02T03:04:05.678Z';
const user = { id: 'user_1', email: 'a@example.org', displayName: 'Ada', createdAt: now, updatedAt: now };
await db.insertInto('user').values(user).execute();

test('every property has its column, and every column its property', () => {
  // References and formulas have no columns of their own.
  const properties = [...orm.getMetadata()].flatMap(({ props }) => props.filter(({ persist }) => persist !== false));
  expect(properties.length).toBeGreaterThan(200);
  for (const { name, fieldNames } of properties) {
    expect([columnOf(name)]).toEqual(fieldNames);
    expect(propertyOf(columnOf(name))).toBe(name);
  }
});

test('rows have property names in every form of statement', async () => {
  const row = { displayName: 'Ada', createdAt: now };
  expect(await db.selectFrom('user').select(['displayName', 'createdAt']).execute()).toEqual([row]);
  expect((await sql`select u.display_name, u.created_at from "user" u`.execute(db)).rows).toEqual([row]);
  expect(await db.selectFrom('user').selectAll().executeTakeFirst()).toMatchObject(row);
  const nested = db.selectFrom((its) => its.selectFrom('user as u').select(['u.displayName as shownName']).as('named'));
  expect(await nested.selectAll().execute()).toEqual([{ shownName: 'Ada' }]);
  const changed = db.updateTable('user').set({ photoUrl: 'https://example.org/a.png' }).returning('photoUrl');
  expect(await changed.execute()).toEqual([{ photoUrl: 'https://example.org/a.png' }]);
  expect((await sql`select 1 as one_two`.execute(db)).rows).toEqual([{ oneTwo: 1 }]);
});

test('entities are read and written through the same connections', async () => {
  texts.length = 0;
  await orm.em.fork().transactional(async (em) => {
    const found = await em.findOneOrFail(User, 'user_1');
    expect(found).toMatchObject({ displayName: 'Ada', createdAt: now });
    found.displayName = `O'Hara? \\ $1`;
    const secret = Buffer.from([0, 1, 255]);
    const webhook = { id: 'webhook_1', organizationId: 'org_1', url: 'https://example.org', label: 'L', secret };
    em.create(Webhook, { ...webhook, kinds: ['space_created', 'space_deleted'] });
    await em.flush();
    const inside = await databaseOf(em).selectFrom('webhook').select(['kinds', 'secret']).executeTakeFirst();
    expect(inside).toEqual({ kinds: ['space_created', 'space_deleted'], secret });
  });
  const { displayName } = await db.selectFrom('user').select('displayName').executeTakeFirstOrThrow();
  expect(displayName).toBe(`O'Hara? \\ $1`);
  expect(texts.filter((text) => /user_1|Hara|example\.org/.test(text))).toEqual([]);
  expect(texts.some((text) => /^update "user" set .*\$1/.test(text))).toBe(true);
});

test("an entity manager's writes are rolled back after a failure", async () => {
  const failing = orm.em.fork().transactional(async (em) => {
    (await em.findOneOrFail(User, 'user_1')).displayName = 'Other';
    await em.flush();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const { displayName } = await db.selectFrom('user').select('displayName').executeTakeFirstOrThrow();
  expect(displayName).not.toBe('Other');
});

test('a transaction that fails to begin or end releases its connection', async () => {
  const cut = async (act: () => Promise<unknown>) => {
    await act().catch(() => {});
    // The pool has one place.
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(1);
  };
  await cut(() =>
    orm.em.fork().transactional((em) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(databaseOf(em))),
  );
  await cut(() =>
    db.transaction().execute((inside) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(inside)),
  );
  const late = new AbortController();
  late.abort(new Error('too late'));
  await cut(() => abortable(late.signal, () => orm.em.fork().transactional(async () => {})));
});

test('a statement that is cancelled ends on the server, and the next one runs on its connection', async () => {
  const serverProcess = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  const before = await serverProcess();
  const cancellation = new AbortController();
  const running = abortable(cancellation.signal, () => sql`select pg_sleep(60)`.execute(db)).catch(
    (error: Error) => error,
  );
  const sleeping = () =>
    administer(
      database.directUrl ?? database.url,
      `select pid from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`,
    );
  await expect.poll(sleeping).toEqual([{ pid: before }]);
  cancellation.abort(new Error('The client left.'));
  expect(await running).toMatchObject({ message: 'The client left.' });
  expect([await sleeping(), await serverProcess()]).toEqual([[], before]);
});

test('a transaction in which a statement has failed is not taken for committed', async () => {
  const { url, drop } = await makeDatabase();
  const other = await connect(url, { poolSize: 1 });
  const failed = other.orm.em.fork().transactional(async (em) => {
    const inside = databaseOf(em);
    await inside
      .insertInto('user')
      .values({ ...user, id: 'user_2', email: 'b@example.org' })
      .execute();
    // Its error goes nowhere, and PostgreSQL answers the commit with a rollback.
    await sql`select 1 / 0`.execute(inside).catch(() => {});
  });
  await expect(failed).rejects.toMatchObject({ code: '25P02' });
  expect(await other.db.selectFrom('user').select('id').execute()).toEqual([]);
  await other.close();
  await drop();
});
