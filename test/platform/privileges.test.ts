import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { databaseFaults } from '../../src/platform/database/database-faults.ts';
import { runProgram } from '../command.ts';
import { administer, databaseUrl } from '../database.ts';

// Whole processes, several in one test.
vi.setConfig({ testTimeout: 120_000 });

const { adminUrl } = inject('databases');
const name = `privileges_${randomBytes(6).toString('hex')}`;
const database = databaseUrl(adminUrl, name);
const SECRET_KEY = 'a secret of at least thirty-two characters';
let directory: string;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stemma-privileges-'));
  await administer(adminUrl, `create role ${name} login password 'of-the-role'`);
  await administer(adminUrl, `create database ${name}`);
  const address = new URL(database);
  address.username = name;
  address.password = 'of-the-role';
  url = address.href;
});

afterAll(async () => {
  await administer(adminUrl, `drop database ${name} with (force)`);
  await administer(adminUrl, `drop role ${name}`);
  await rm(directory, { recursive: true, force: true });
});

const run = (program: string) =>
  runProgram(program, [], {
    DATABASE_URL: url,
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    SECRET_KEY,
    LOG_LEVEL: 'warn',
  });

/** The statements that a text tells an administrator to run. */
const statementsIn = (output: string) =>
  [...output.matchAll(/As an administrator of the database: ([^;]+);/g)].map(([, statement = '']) => statement);

test('a role that may not connect is told which grant is missing', async () => {
  await administer(adminUrl, `revoke connect on database ${name} from public`);
  for (const program of ['main', 'doctor']) {
    const { code, output } = await run(program);
    expect([code, statementsIn(output)]).toEqual([1, [`grant connect on database "${name}" to "${name}"`]]);
  }
  await administer(adminUrl, `grant connect on database "${name}" to "${name}"`);
});

test('the start and the doctor name the same grants, and with them the service has what it needs', async () => {
  const [doctor, start, worker] = [await run('doctor'), await run('main'), await run('worker')];
  expect([doctor.code, start.code, worker.code]).toEqual([1, 1, 1]);
  const grants = [
    `grant usage, create on schema public to ${name}`,
    `grant create on database ${name} to ${name}`,
    `grant create on database ${name} to ${name}`,
    `grant create on database ${name} to ${name}`,
  ];
  expect(statementsIn(start.output)).toEqual(grants);
  expect(statementsIn(worker.output)).toEqual(grants);
  expect(statementsIn(doctor.output)).toEqual(grants);
  expect(start.output).toContain('may not create tables in the schema public and write to them (permission denied');
  expect(start.output).not.toContain('    at ');

  for (const statement of new Set(grants)) await administer(database, statement);
  expect(await databaseFaults(url, [])).toEqual([]);
  expect((await run('doctor')).code).toBe(0);
});

test('nothing that was tried is left', async () => {
  const left = await administer(
    database,
    `select relname from pg_class where relname like 'stemma%' union select nspname from pg_namespace where nspname = 'pgboss'
     union select extname from pg_extension where extname <> 'plpgsql'`,
  );
  expect(left).toEqual([]);
});

test('tables of another role are named with their owner', async () => {
  await administer(database, 'create table space (id text)');
  const [fault] = await databaseFaults(url, ['space']);
  const [owner] = await administer(database, 'select quote_ident(current_user) as name');
  expect(fault).toMatch(`The tables space belong to the role ${owner?.name}`);
  expect(fault).toContain(`grant ${owner?.name} to ${name};`);
  await administer(database, 'drop table space');
});

test('a missing schema, function or write access is named', async () => {
  await administer(database, 'revoke execute on function pg_notify(text, text) from public');
  await administer(database, 'revoke execute on function pg_advisory_xact_lock(bigint) from public');
  expect((await databaseFaults(url, [])).map((fault) => statementsIn(fault)[0])).toEqual([
    `grant execute on function pg_catalog.pg_notify(text, text) to ${name}`,
    `grant execute on function pg_catalog.pg_advisory_xact_lock(bigint) to ${name}`,
  ]);
  await administer(database, 'alter schema public rename to elsewhere');
  const [schema] = await databaseFaults(url, []);
  expect(schema).toMatch(/no schema public.*create schema public authorization/);
  await administer(database, `alter database ${name} set default_transaction_read_only to on`);
  expect(await databaseFaults(url, [])).toEqual([expect.stringMatching(/^The database is read-only/)]);
  await administer(adminUrl, `alter database ${name} reset default_transaction_read_only`);
});
