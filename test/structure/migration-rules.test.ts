import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { isOlder } from '../../src/platform/compatibility/minimum-version.ts';
import type { KnownMigration } from '../../src/platform/database/migrations.ts';
import { statementsOf } from '../../src/platform/database/try-migrations.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The migrations of the last release, with the hashes of their files. A release replaces it. */
const released: { version: string; migrations: Record<string, string> } = JSON.parse(
  read('test/fixtures/migrations-of-last-release.json'),
);
const { version } = JSON.parse(read('package.json'));
const added = migrations.filter(({ name }) => !(name in released.migrations));

/** Indexes that are built in a moment, since their tables have a row for each space, or each session. */
const SMALL = ['2026-11-27-list-titles', '2026-11-28-sign-in'];

test('released migrations do not change', () => {
  const hashes = Object.keys(released.migrations).map((name) => [
    name,
    createHash('sha256')
      .update(read(`migrations/${name}.ts`))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(released.migrations);
  const known = migrations.map(({ name }) => name);
  expect(Object.keys(released.migrations).filter((name) => !known.includes(name))).toEqual([]);
});

test('new migrations stand at the end, name the next version, and those of the phase after are the last', () => {
  expect(migrations.slice(-added.length)).toEqual(added);
  const versions = new Set(added.map(({ since = 'none' }) => since));
  expect([...versions]).toHaveLength(1);
  const [next = ''] = versions;
  expect(isOlder(released.version, next)).toBe(true);
  // Between releases, the package has the version of the last one.
  expect([released.version, next]).toContain(version);
  const phases = added.map(({ phase = 'before' }) => phase);
  expect(phases).toEqual(phases.toSorted().reverse());
  expect(migrations.filter(({ since }) => since === undefined).map(({ name }) => name)).toEqual(
    migrations.slice(0, migrations.length - added.length).map(({ name }) => name),
  );
});

test('new migrations keep locks short, and the former version works on those of the phase before', async () => {
  for (const migration of added) expect([migration.name, await faultsOf(migration)]).toEqual([migration.name, []]);
});

const oneOf = (...words: string[]) => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');

/** Statements that change rows, of which a table can have millions. */
const CHANGES_ROWS = /^\s*(?:update|delete|merge|do|with)\b|^\s*insert\b.*\bselect\b/is;

/** Clauses that rewrite or read a whole table while it is locked. */
const READS_TABLE = [
  /\bset not null\b/i,
  /\b(?:alter|set data)\b.*\btype\b/is,
  /\badd (?:constraint|check|unique|primary|foreign|exclude)\b(?!.*\bnot valid\b)(?!.*\busing index\b)/is,
  /\badd column\b.*\bdefault\b.*\b(?:random\w*|clock_timestamp|nextval|gen_random_uuid)\b/is,
  /\bgenerated\b/i,
  oneOf('cluster', 'vacuum full', 'reindex'),
];

/** Clauses that take away what the former version uses. */
const TAKES_AWAY = [
  /\bdrop\b(?!.*\b(?:not null|default)\b)/is,
  /\brename\b/i,
  /\badd column\b(?!.*\bdefault\b).*\bnot null\b/is,
];

/** What is wrong with a new migration. */
async function faultsOf(migration: KnownMigration): Promise<string[]> {
  const statements = await statementsOf(migration);
  const isConcurrent = !new migration.class(undefined as never, undefined as never).isTransactional();
  const made = new Set(
    statements.flatMap((text) => /^\s*create table(?: if not exists)? "?(\w+)/i.exec(text)?.[1] ?? []),
  );
  const source = migration.class.toString();
  return [
    ...(/\.(?:execute|getEntityManager)\(/.test(source)
      ? ['use addSql: `npm run upgrade:check` shows its statements']
      : []),
    ...statements.flatMap((text) => {
      const table = /\b(?:alter table(?: only)?|index\b.*?\bon)\s+"?(\w+)/is.exec(text)?.[1] ?? '';
      if (made.has(table)) return [];
      const builds = /^\s*create (?:unique )?index/i.test(text);
      const isSafelyBuilt = /^\s*create (?:unique )?index concurrently if not exists "\w+"/i.test(text);
      return [
        ...(CHANGES_ROWS.test(text) ? [`change rows in a job: ${text}`] : []),
        ...(READS_TABLE.some((clause) => clause.test(text))
          ? [`reads or rewrites its table under a lock: ${text}`]
          : []),
        ...(builds && !isSafelyBuilt && !SMALL.includes(migration.name)
          ? [`build the index concurrently: ${text}`]
          : []),
        ...(isConcurrent !== isSafelyBuilt
          ? [`isTransactional() must be false for concurrent indexes alone: ${text}`]
          : []),
        ...(migration.phase !== 'after' && TAKES_AWAY.some((clause) => clause.test(text))
          ? [`the former version needs it, use the phase after: ${text}`]
          : []),
      ];
    }),
  ];
}

const planted = (statement: string, { phase, isTransactional = true }: Planted = {}): KnownMigration => ({
  name: 'planted',
  ...(phase && { phase }),
  class: class extends Migration {
    override up(): void {
      this.addSql(statement);
    }
    override isTransactional(): boolean {
      return isTransactional;
    }
  },
});

interface Planted {
  phase?: 'before' | 'after';
  isTransactional?: boolean;
}

const CONCURRENTLY = 'create index concurrently if not exists "page_title" on "page" ("title")';

test.each<[string, Planted?]>([
  [`update "page" set "title" = ''`],
  [`delete from "page" where "title" is null`],
  [`insert into "note" select * from "page"`],
  [`do $$ begin update page set title = ''; end $$`],
  ['alter table "page" alter column "title" set not null', { phase: 'after' }],
  ['alter table "page" alter column "title" type varchar(20)', { phase: 'after' }],
  ['alter table "page" add constraint "title_check" check ("title" <> \'\')'],
  ['alter table "page" add column if not exists "id" uuid not null default gen_random_uuid()'],
  ['create index if not exists "page_title" on "page" ("title")'],
  [CONCURRENTLY],
  ['alter table "page" add column if not exists "text" text null', { isTransactional: false }],
  ['alter table "page" drop column if exists "title"'],
  ['drop table if exists "page"'],
  ['alter table "page" rename column "title" to "name"'],
  ['alter table "page" add column if not exists "text" text not null'],
])('a new migration may not run: %s', async (statement, options) => {
  expect(await faultsOf(planted(statement, options))).toHaveLength(1);
});

test.each<[string, Planted?]>([
  ['alter table "page" add column if not exists "text" text null'],
  [`alter table "page" add column if not exists "text" text not null default ''`],
  ['alter table "page" alter column "title" drop not null'],
  ['alter table "page" add constraint "title_check" check ("title" <> \'\') not valid'],
  ['create table if not exists "note" ("id" text not null, primary key ("id"))'],
  [CONCURRENTLY, { isTransactional: false }],
  ['alter table "page" drop column if exists "title"', { phase: 'after' }],
  ['drop table if exists "page"', { phase: 'after' }],
])('a new migration may run: %s', async (statement, options) => {
  expect(await faultsOf(planted(statement, options))).toEqual([]);
});
