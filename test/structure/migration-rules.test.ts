import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { isOlder, setMinimumVersion } from '../../src/platform/compatibility/minimum-version.ts';
import { type KnownMigration, type MigrationList, namesOf } from '../../src/platform/database/migrations.ts';
import { statementsOf } from '../../src/platform/database/try-migrations.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The migrations of the last release. A release replaces it. */
const released: Release = JSON.parse(read('test/fixtures/migrations-of-last-release.json'));
const { version } = JSON.parse(read('package.json'));

interface Release {
  version: string;
  /** Hashes of the files, by the names of the migrations. */
  migrations: Record<string, string>;
}

const added = migrations.filter(({ name }) => !(name in released.migrations));

/** Indexes that are built in a moment, since their tables have a row for each space, or each session. */
const SMALL = ['2026-11-27-list-titles', '2026-11-28-sign-in', '2026-11-28-session-list', '2026-11-28-oidc'];

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

test('new migrations do not run code that changes with the service', () => {
  const imported = added.flatMap(({ name }) =>
    [...read(`migrations/${name}.ts`).matchAll(/from '\.\.\/src\/(?:domain|lib)\/[^']+'/g)].map(([found]) => [
      name,
      found,
    ]),
  );
  expect(imported).toEqual([]);
});

/** What is wrong with the order and the versions of a list of migrations. */
function orderFaults(list: MigrationList, last: Release, own: string): string[] {
  const fresh = list.filter(({ name }) => !(name in last.migrations));
  const old = list.filter(({ name }) => name in last.migrations);
  const versions = [...new Set(fresh.map(({ since = 'none' }) => since))];
  const [next = last.version] = versions;
  const phases = fresh.map(({ phase = 'before' }) => phase);
  return [
    ...(String(namesOf(list)) === String(namesOf([...old, ...fresh]))
      ? []
      : ['new migrations stand before released ones']),
    ...(versions.length > 1 ? ['new migrations name several versions'] : []),
    ...(fresh.length > 0 && (next === 'none' || !isOlder(last.version, next)) ? ['name the next version'] : []),
    // Between releases, the package has the version of the last one.
    ...([last.version, next].includes(own) ? [] : ['the package has another version']),
    ...(String(phases) === String(phases.toSorted().reverse()) ? [] : ['those of the phase after are the last']),
    ...(old.some(({ since }) => since !== undefined && isOlder(last.version, since))
      ? ['released migrations are newer than the release']
      : []),
  ];
}

test('new migrations stand at the end, name the next version, and those of the phase after are the last', () => {
  expect(orderFaults(migrations, released, version)).toEqual([]);
});

test('the order of migrations is checked before a release, in it and after it', () => {
  const one = planted('select');
  const [first, second, third] = [
    { ...one, name: 'first' },
    { ...one, name: 'second', since: '0.3.0' },
    { ...one, name: 'third', since: '0.3.0', phase: 'after' as const },
  ];
  const [before, after] = [
    { version: '0.2.0', migrations: { first: '' } },
    { version: '0.3.0', migrations: { first: '', second: '', third: '' } },
  ];
  const list = [first, second, third];
  for (const [last, own] of [
    [before, '0.2.0'],
    [before, '0.3.0'],
    [after, '0.3.0'],
  ] as const) {
    expect(orderFaults(list, last, own)).toEqual([]);
  }
  expect(orderFaults(list, after, '0.4.0')).toEqual(['the package has another version']);
  expect(orderFaults([second, first], before, '0.2.0')).toEqual(['new migrations stand before released ones']);
  expect(orderFaults([first, third, second], before, '0.2.0')).toEqual(['those of the phase after are the last']);
  expect(orderFaults([first, { ...second, since: '0.2.0' }], before, '0.2.0')).toEqual(['name the next version']);
  expect(orderFaults([first, one], before, '0.2.0')).toContain('name the next version');
  expect(orderFaults([first, second, { ...third, since: '0.4.0' }], before, '0.2.0')).toEqual([
    'new migrations name several versions',
  ]);
  expect(orderFaults(list, { ...after, version: '0.2.0' }, '0.2.0')).toEqual([
    'released migrations are newer than the release',
  ]);
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

/** Clauses that take away what the former version uses, or forbid it to start. */
const TAKES_AWAY = [
  /\bdrop\b(?!\s+(?:not null|default)\b)/i,
  /\brename\b/i,
  /\badd column\b(?!.*\bdefault\b).*\bnot null\b/is,
  /\bcompatibility\b/i,
];

/** The clauses of a statement, of which each has to keep the rules. */
const clausesOf = (text: string) => text.split(/,\s*(?=(?:add|drop|alter)\b)/i);

const hasClause = (text: string, rules: RegExp[]) =>
  clausesOf(text).some((clause) => rules.some((rule) => rule.test(clause)));

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
        ...(hasClause(text, READS_TABLE) ? [`reads or rewrites its table under a lock: ${text}`] : []),
        ...(builds && !isSafelyBuilt && !SMALL.includes(migration.name)
          ? [`build the index concurrently: ${text}`]
          : []),
        ...(isConcurrent !== isSafelyBuilt
          ? [`isTransactional() must be false for concurrent indexes alone: ${text}`]
          : []),
        ...(migration.phase !== 'after' && hasClause(text, TAKES_AWAY)
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
  [`alter table "page" drop column "title", add column "text" text default ''`],
  ['alter table "page" add column "text" text not null, add column "size" int default 0'],
  ['alter table "page" add constraint "a" check ("a" > 0), add constraint "b" check ("b" > 0) not valid'],
  ['alter table "page" alter column "size" drop not null, drop column "title"'],
  [setMinimumVersion('0.3.0')],
  ['CREATE INDEX CONCURRENTLY IF NOT EXISTS "page_title" ON "page" ("title")'],
])('a new migration may not run: %s', async (statement, options) => {
  expect(await faultsOf(planted(statement, options))).toHaveLength(1);
});

test.each<[string, Planted?]>([
  ['alter table "page" add column if not exists "text" text null'],
  [`alter table "page" add column if not exists "text" text not null default ''`],
  ['alter table "page" alter column "title" drop not null'],
  ['alter table "page" add constraint "title_check" check ("title" <> \'\') not valid'],
  ['create table if not exists "note" ("id" text not null, primary key ("id"))'],
  [`alter table "page" add column "text" text not null default '', alter column "title" drop not null`],
  [setMinimumVersion('0.3.0'), { phase: 'after' }],
  [CONCURRENTLY, { isTransactional: false }],
  [CONCURRENTLY.toUpperCase(), { isTransactional: false }],
  ['alter table "page" drop column if exists "title"', { phase: 'after' }],
  ['drop table if exists "page"', { phase: 'after' }],
])('a new migration may run: %s', async (statement, options) => {
  expect(await faultsOf(planted(statement, options))).toEqual([]);
});
