import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from './command.ts';
import { administer, makeDatabase } from './database.ts';

const SECRET_KEY = 'a secret of at least thirty-two characters';
const database = await makeDatabase();
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stemma-doctor-'));
});

afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the doctor says of each thing. */
async function examine(environment: Record<string, string>) {
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY, ...environment };
  const { code, output } = await runProgram('src/doctor.ts', [], settings);
  const lines = output.trimEnd().split('\n');
  return { code, output, about: (subject: string) => lines.find((line) => line.slice(9).startsWith(subject)) ?? '' };
}

test('finds nothing wrong with a service that is in order, one line for each thing', async () => {
  const { code, output } = await examine({});
  expect(
    output
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 23).trim()),
  ).toEqual(
    [
      'configuration',
      'secret key',
      'public URL',
      'database',
      'migrations',
      'extensions',
      'clock',
      'storage',
      'data directory',
    ].map((subject) => `ok       ${subject}`),
  );
  expect(code).toBe(0);
  expect(output).not.toContain(new URL(database.url).password);
});

test('names every wrong setting, and what it must be', async () => {
  const { code, output } = await examine({ PORT: 'web', LOG_LEVEL: 'loud' });
  expect(code).toBe(1);
  expect(output).toMatch(
    /^problem {2}configuration {3}PORT: must be a whole number.*\nproblem {2}configuration {3}LOG_LEVEL/,
  );
});

test('production needs a secret key, and an address that others can reach', async () => {
  expect((await examine({ NODE_ENV: 'production', SECRET_KEY: '' })).output).toMatch(
    /^problem .*SECRET_KEY is required/,
  );
  const about = async (PUBLIC_URL: string) =>
    (await examine({ NODE_ENV: 'production', PUBLIC_URL })).about('public URL');
  expect(await about('')).toMatch(/^problem.*Set PUBLIC_URL to the address they use/);
  expect(await about('http://docs.example.com')).toMatch(/^problem.*sends tokens unencrypted/);
  expect(await about('https://docs.example.com/app')).toMatch(/^problem.*without one/);
  expect(await about('https://docs.example.com')).toMatch(/^ok/);
});

test('says that a database cannot be reached, without its password', async () => {
  const { code, about, output } = await examine({ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:9/stemma' });
  expect([code, about('database')]).toEqual([
    1,
    expect.stringMatching(/^problem.*cannot be reached.*correct DATABASE_URL/),
  ]);
  expect(output).not.toContain('hunter2');
});

test('tells pending migrations from those of a newer version', async () => {
  const other = await makeDatabase();
  try {
    await administer(
      other.url,
      `delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)`,
    );
    expect((await examine({ DATABASE_URL: other.url })).about('migrations')).toMatch(
      /^problem.*1 are pending.*Start the service/,
    );
    await administer(other.url, `insert into mikro_orm_migrations (name) values ('2099-01-01-later')`);
    expect((await examine({ DATABASE_URL: other.url })).about('migrations')).toMatch(
      /^problem.*newer version.*2099-01-01-later/,
    );
  } finally {
    await other.drop();
  }
});

test('says that files cannot be stored', async () => {
  const occupied = join(dataDir, 'occupied');
  await writeFile(occupied, '');
  await chmod(occupied, 0o600);
  const { code, about } = await examine({ STORAGE_URL: `file://${occupied}` });
  expect([code, about('storage')]).toEqual([1, expect.stringMatching(/^problem.*cannot be used.*Correct STORAGE_URL/)]);
});

test('takes an embedded database that does not run for granted', async () => {
  const { code, about } = await examine({ DATABASE_URL: '' });
  expect([code, about('database')]).toEqual([0, expect.stringMatching(/^ok.*not running/)]);
});
