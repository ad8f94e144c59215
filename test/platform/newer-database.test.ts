import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isOlder, setMinimumVersion } from '../../src/platform/compatibility/minimum-version.ts';
import { runProgram } from '../command.ts';
import { administer, makeDatabase, type TestDatabase } from '../database.ts';

// Whole processes, several in one test.
vi.setConfig({ testTimeout: 120_000 });

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await makeDatabase();
  directory = await mkdtemp(join(tmpdir(), 'stemma-newer-'));
});

afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

const PROGRAMS: [string, string[]][] = [
  ['main', []],
  ['worker', []],
  ['doctor', []],
  ['backup', ['backup.tar']],
  ['token', ['--operator']],
  ['confirm-email', ['--email', 'a@acme.example']],
];

/** Runs each program and returns what it says of the database. */
async function refusals(): Promise<string[]> {
  const said: string[] = [];
  for (const [name, words] of PROGRAMS) {
    const SECRET_KEY = 'a secret of at least thirty-two characters';
    const environment = { DATABASE_URL: database.url, DATA_DIR: join(directory, name), PORT: '0', SECRET_KEY };
    const file = words.map((word) => (word.endsWith('.tar') ? join(directory, word) : word));
    const { code, output } = await runProgram(name, file, environment);
    expect([name, code]).toEqual([name, 1]);
    expect(output).not.toContain('    at ');
    said.push(/The database belongs to a newer version.*$/m.exec(output)?.[0] ?? output);
  }
  return said;
}

test('every program refuses a database that needs a newer version, and says which', async () => {
  await administer(database.url, setMinimumVersion('99.1.0'));
  const said = await refusals();
  expect(new Set(said).size).toBe(1);
  expect(said[0]).toMatch(`than this one, ${version}: it needs version 99.1.0 or newer. Start the newer version.`);
  await administer(database.url, setMinimumVersion(version));
});

test('every program refuses a database with a migration that it does not know', async () => {
  await administer(database.url, `insert into mikro_orm_migrations (name) values ('2099-01-01-later')`);
  const said = await refusals();
  expect(new Set(said).size).toBe(1);
  expect(said[0]).toContain('does not know its migrations 2099-01-01-later');
  await administer(database.url, `delete from mikro_orm_migrations where name = '2099-01-01-later'`);
});

test('programs run on a database that the next version has prepared for itself, and leave its backup to that version', async () => {
  await administer(database.url, `insert into early_migration (name) values ('2099-01-01-next')`);
  const SECRET_KEY = 'a secret of at least thirty-two characters';
  const environment = { DATABASE_URL: database.url, DATA_DIR: join(directory, 'next'), SECRET_KEY };
  const migrated = await runProgram('migrate', [], environment);
  expect([migrated.code, migrated.output]).toEqual([0, expect.stringContaining('the database is migrated')]);
  const { output } = await runProgram('doctor', [], environment);
  expect(output).toMatch(/^ok +migrations +all \d+ applied, and those of the next version .*\(2099-01-01-next\)$/m);
  const backup = await runProgram('backup', [join(directory, 'next.tar')], environment);
  expect([backup.code, backup.output]).toEqual([
    1,
    expect.stringContaining('A newer version of Stemma has migrated the database (2099-01-01-next).'),
  ]);
  await administer(database.url, `delete from early_migration where name = '2099-01-01-next'`);
});

test('the database of this version has a minimum that this version meets', async () => {
  const [row] = await administer(database.url, 'select minimum_version from compatibility');
  expect(isOlder(version, String(row?.minimum_version))).toBe(false);
});

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', true],
  ['0.9.9', '0.10.0', true],
  ['1.0.0', '0.10.9', false],
  ['0.10.0', '0.9.0', false],
])('%s is older than %s: %s', (one, other, expected) => {
  expect(isOlder(one, other)).toBe(expected);
});
