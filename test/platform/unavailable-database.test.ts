import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Renewal } from '../../src/platform/database/renewal.ts';
import { SQL_STATES, sqlStateOf } from '../../src/platform/database/sqlstates.ts';
import { unavailabilityOf } from '../../src/platform/database/unavailable.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { administer, makeDatabase } from '../database.ts';
import { world } from '../world.ts';

const logged: { level: number; msg: string }[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const it = await world({ RATE_LIMIT: '0' }, { log, database: await makeDatabase() });
const { organizationId, databaseUrl, creator } = it;
const { db } = it.app.services;

beforeAll(async () => {
  // The server raises the error whose SQLSTATE is the title, as it raises its own.
  await administer(
    databaseUrl,
    `create function raise_title() returns trigger language plpgsql as $$ begin
       if new.title ~ '^[0-9A-Z]{5}$' then raise exception 'on purpose' using errcode = new.title; end if;
       return new; end $$;
     create trigger raise_title before insert on collection for each row execute function raise_title()`,
  );
});

beforeEach(() => {
  logged.length = 0;
});

afterAll(() => administer(databaseUrl, 'drop function raise_title cascade'));

/** A class stands for one of its codes. */
const codeOf = (state: string) => (state.length === 2 ? `${state}000` : state);

const rest = (title: string) => creator.post(`/v1/orgs/${organizationId}/collections`, { title });

const inGraph = (title: string) =>
  creator.graphqlRaw(
    'mutation($input: CreateCollectionInput!) { createCollection(input: $input) { collection { id } } }',
    { input: { organizationId, title } },
  );

test.each(Object.entries(SQL_STATES))(
  'SQLSTATE %s is no internal error in either transport',
  async (state, meaning) => {
    const code = codeOf(state);
    const [status, expected] = meaning.response === 'contended' ? [409, 'CONFLICT'] : [503, 'SERVICE_UNAVAILABLE'];
    const answer = await rest(code);
    expect([answer.status, answer.body.error.code]).toEqual([status, status]);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    const graph = await inGraph(code);
    expect(graph.body.errors[0].extensions.code).toBe(expected);
    if (status === 503) expect([graph.status, graph.headers.get('retry-after')]).toEqual([503, '1']);
    expect(logged).toEqual([]);
    expect((await rest(`After ${code}`)).status).toBe(201);
  },
);

test('an error that is a bug is an internal error', async () => {
  expect((await rest('22012')).status).toBe(500);
  expect(sqlStateOf(Object.assign(new Error(), { code: 'XX000', routine: 'elog_finish' }))).toBeUndefined();
});

test('an internal error of a pooler, which names no routine, means that the database is unavailable', () => {
  const error = Object.assign(new Error('MaxClientsInSessionMode: max clients reached'), { code: 'XX000' });
  expect(unavailabilityOf(error)?.code).toBe('SERVICE_UNAVAILABLE');
});

test('the database is unavailable while the socket of its server is missing', async () => {
  const url = new URL(databaseUrl);
  url.searchParams.set('host', '/nowhere');
  const error = await administer(url.href, 'select 1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(unavailabilityOf(error)?.code).toBe('SERVICE_UNAVAILABLE');
});

test('a read that conflicts with recovery is unavailable, and no conflict of its caller', async () => {
  await db
    .insertInto('team')
    .values({ id: newId('team'), organizationId, title: 'Read' })
    .execute();
  await administer(
    databaseUrl,
    `create function raise_always() returns boolean language plpgsql as $$ begin
       raise exception 'canceling statement due to conflict with recovery' using errcode = '40001'; end $$;
     alter table team rename to team_stored;
     create view team as select * from team_stored where raise_always()`,
  );
  try {
    const listed = await creator.get(`/v1/orgs/${organizationId}/teams`);
    expect([listed.status, listed.headers.get('retry-after')]).toEqual([503, '1']);
    const query = 'query($id: ID!) { organization(id: $id) { teams(first: 1) { nodes { id } } } }';
    const graph = await creator.graphqlRaw(query, { id: organizationId });
    expect([graph.status, graph.body.errors[0].extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(logged).toEqual([]);
  } finally {
    await administer(databaseUrl, 'drop view team; alter table team_stored rename to team; drop function raise_always');
  }
});

test('one refusal renews all connections that were opened before it, once a second', () => {
  let now = 0;
  const pool = Object.assign(new EventEmitter(), {}) as unknown as pg.Pool; // only its events are used
  const renewal = new Renewal(pool, () => now);
  const open = () => {
    const client = {} as pg.PoolClient; // a key
    pool.emit('connect', client);
    return client;
  };
  const refusal = Object.assign(new Error(), { code: '25006' });
  const first = open();
  now = 5;
  expect(renewal.endsBy(Object.assign(new Error(), { code: '22012' }))).toBe(false);
  expect([renewal.endsBy(Object.assign(new Error(), { code: '57P01' })), renewal.isOutdated(first)]).toEqual([
    true,
    false,
  ]);
  expect([renewal.endsBy(refusal), renewal.isOutdated(first)]).toEqual([true, true]);
  now = 10;
  const second = open();
  now = 20;
  expect([renewal.endsBy(refusal), renewal.isOutdated(second)]).toEqual([true, false]);
  now = 1_100;
  expect([renewal.endsBy(refusal), renewal.isOutdated(second)]).toEqual([true, true]);
});

/** Ends all sessions of the service, as a restart or failover of the server does. */
const terminate = () =>
  administer(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );

test('a database that was made read-only is unavailable until it can be written, and its connections are renewed', async () => {
  const name = new URL(databaseUrl).pathname.slice(1);
  await administer(databaseUrl, `alter database ${name} set default_transaction_read_only to on`);
  await terminate();
  await expect.poll(async () => (await rest('Read-only')).status).toBe(503);
  const refused = await rest('Read-only');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await inGraph('Read-only')).body.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
  expect((await fetch(`${it.url}/readyz`)).status).toBe(503);
  // Opens all connections of the pool, which stay read-only.
  const pool = it.app.services.config.databasePool;
  await Promise.all(Array.from({ length: pool }, () => sql`select pg_sleep(.2)`.execute(db)));

  await administer(databaseUrl, `begin read write; alter database ${name} reset default_transaction_read_only; commit`);
  const writeAtOnce = () =>
    Promise.all(Array.from({ length: pool }, async (_, n) => (await rest(`Again ${n}`)).status));
  await expect.poll(async () => new Set(await writeAtOnce()), { timeout: 10_000 }).toEqual(new Set([201]));
  await expect.poll(async () => (await fetch(`${it.url}/readyz`)).status).toBe(200);
  // The queue tells once that its connections were closed.
  expect(logged.filter(({ msg }) => msg !== 'error in the job queue')).toEqual([]);
});

test('sessions that are terminated cost at most a 503', async () => {
  for (let round = 0; round < 5; round++) {
    const writing = Array.from({ length: 8 }, (_, index) => rest(`Terminated ${round}.${index}`));
    const [statuses] = await Promise.all([Promise.all(writing), terminate()]);
    for (const { status, headers } of statuses) {
      expect([201, 503]).toContain(status);
      expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    }
  }
  await expect.poll(async () => (await rest('Afterwards')).status).toBe(201);
  expect(logged).toEqual([]);
});
