import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { migrations } from '../migrations/index.ts';
import { runProgram } from './command.ts';
import { administer, databaseUrl, makeDatabase, type TestDatabase } from './database.ts';

// Whole processes, several in one test.
vi.setConfig({ testTimeout: 120_000 });

const { adminUrl, template } = inject('databases');
const databases: TestDatabase[] = [];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stemma-upgrade-check-'));
});

afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/** A database that lacks the migrations that this version brings. */
async function formerDatabase(): Promise<string> {
  const database = await makeDatabase();
  databases.push(database);
  const url = database.directUrl ?? database.url;
  await administer(
    url,
    `alter table session drop column api_token_id, drop column id, drop column user_agent, drop column last_used_at;
     drop table oauth_grant, oauth_record, oidc_identity, oidc_logout_token, oidc_request, passkey, passkey_challenge, sign_in_link, sign_in_request, early_migration;
     drop index space_title_index, collection_title_index, site_title_index`,
  );
  return url;
}

const check = (url: string, ...words: string[]) =>
  runProgram('upgrade-check', words, { DATABASE_URL: url, DATA_DIR: directory });

/** Whether a database still lacks the migrations. */
const isFormer = async (url: string) =>
  (await administer(url, `select to_regclass('early_migration') is null as is`))[0]?.is;

test('what an update would do is shown, and what it locks and how long it takes on a copy', async () => {
  const url = await formerDatabase();
  const copy = await formerDatabase();
  const shown = await check(url);
  expect(shown.code).toBe(0);
  expect(shown.output).toContain(` of ${migrations.length} migrations.`);
  expect(shown.output).toContain('2026-11-28-sign-in (before the update)\n    alter table "session" add column');
  expect(shown.output).not.toContain('locks session');

  const tried = await check(url, '--on', copy);
  // Its exit code depends on how busy the machine is.
  expect(tried.output).toMatch(/sign-in \(before the update\): \d+ ms on the copy/);
  expect(tried.output).toContain('locks session: AccessExclusiveLock, which blocks reads and writes');
  expect(tried.output).toContain('locks space: ShareLock, which blocks writes');
  // No other transaction uses the tables that the upgrade creates.
  expect(tried.output).not.toContain('locks sign_in_link');
  expect([await isFormer(url), await isFormer(copy)]).toEqual([true, false]);
  expect((await check(copy)).output).toContain(' lacks 0 of ');
  const again = await check(url, '--on', copy);
  expect([again.code, again.output]).toEqual([1, expect.stringContaining('Each copy can be used once')]);
});

test('the database itself is not taken for a copy', async () => {
  const url = await formerDatabase();
  const { code, output } = await check(url, '--on', url.replace('127.0.0.1', 'localhost'));
  expect([code, output]).toEqual([1, expect.stringContaining('--on names the database itself')]);
  expect(await isFormer(url)).toBe(true);
});

test('a migration that blocks others for more than a second on the copy is named', async () => {
  const [url, copy] = await Promise.all([formerDatabase(), formerDatabase()]);
  // Someone reads the table, which takes as long as a change of a large one.
  const reader = new pg.Client({ connectionString: copy });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select from session');
  const checked = check(url, '--on', copy);
  const waiting = `
    select from pg_locks where not granted and waitstart < clock_timestamp() - interval '1.1 seconds'
      and pid in (select pid from pg_stat_activity where datname = current_database())`;
  await expect.poll(() => administer(copy, waiting), { timeout: 60_000 }).toHaveLength(1);
  await reader.end();
  const { code, output } = await checked;
  expect([code, output]).toEqual([1, expect.stringMatching(/More than a second: .*2026-11-28-sign-in\./)]);
});

test('a database without tables has nothing to check, and wrong words are explained', async () => {
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `create database ${name}`);
  const empty = databaseUrl(adminUrl, name);
  databases.push({ url: empty, drop: async () => void (await administer(adminUrl, `drop database ${name}`)) });
  expect(await check(empty)).toEqual({ code: 0, output: expect.stringContaining('has no tables yet') });
  for (const words of [
    ['--at', 'x'],
    ['--on', 'copy'],
  ]) {
    const { code, output } = await check(empty, ...words);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('Usage: npm run upgrade:check [-- --on URL_OF_A_COPY]'),
    ]);
  }
});
