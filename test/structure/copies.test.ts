import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { world } from '../world.ts';
import { furnish } from './furnish.ts';

const { app, admin, organizationId } = await world({ WORKERS: '1' });
const { db } = app.services;

interface Column {
  table: string;
  name: string;
  type: string;
}

async function columnsOf(tables: readonly string[]): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name as "table", column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = any(${tables}::text[]) and is_generated = 'NEVER'
      and is_identity = 'NO' order by table_name, ordinal_position`.execute(db);
  return rows;
}

/** A value that no row has by default, by type. */
const VALUES: Record<string, string> = {
  text: `'x'`,
  boolean: 'true',
  integer: '7',
  bigint: '7',
  bytea: `'\\x07'`,
  ARRAY: `'{x}'`,
  json: `'{"x": 7}'`,
  jsonb: `'{"x": 7}'`,
  'timestamp with time zone': `'2020-01-02'`,
  'USER-DEFINED': `'review'`,
};

const OTHER: Record<string, string> = {
  'space.edit_mode': `'locked'`,
  'space.emoji': `'1f600'`,
  'space.icon': `'https://example.com/icon.png'`,
  'space.language': `'de'`,
  'space.merge_rules': `'{"type": "none"}'`,
};

/** Gives one row of a selection a value in every column that is null, false, 0 or empty in all of them. */
async function fillColumns(columns: readonly Column[], where: string): Promise<void> {
  for (const { table, name, type } of columns) {
    const value = OTHER[`${table}.${name}`] ?? VALUES[type] ?? 'null';
    const isDefault = `"${name}" is null or "${name}"::text in ('', 'false', '0', '{}', '[]', 'live', '1f4d4')`;
    const isFilled = `exists (select from "${table}" where ${where} and not (${isDefault}))`;
    await sql
      .raw(`update "${table}" set "${name}" = ${value} where ${where} and not ${isFilled}
        and ctid = (select min(ctid) from "${table}" where ${where})`)
      .execute(db);
    const { rows } = await sql.raw<{ filled: boolean }>(`select ${isFilled} as filled`).execute(db);
    expect([table, name, rows[0]?.filled]).toEqual([table, name, true]);
  }
}

async function valuesOf(columns: readonly Column[], where: string): Promise<string[]> {
  const [{ table } = { table: '' }] = columns;
  const names = columns.map(({ name }) => `'${name}', "${name}"::text`).join(', ');
  const { rows } = await sql
    .raw<{ row: object }>(`select json_build_object(${names}) as row from "${table}" where ${where}`)
    .execute(db);
  return rows.map(({ row }) => JSON.stringify(row)).toSorted();
}

/** The columns by table, without those that a copy has of its own. */
async function copiedColumns(tables: Record<string, readonly string[]>): Promise<[string, Column[]][]> {
  const columns = await columnsOf(Object.keys(tables));
  return Object.entries(tables).map(([table, own]) => [
    table,
    columns.filter((column) => column.table === table && !own.includes(column.name)),
  ]);
}

/** Tables that a duplicate of a space has rows in, with the columns that these do not take over. */
const DUPLICATED: Record<string, readonly string[]> = {
  space: [
    ...['id', 'title', 'revision_id', 'latest_change_request_number', 'deleted_at'],
    ...['created_by', 'created_at', 'updated_at', 'version'],
  ],
  revision: [
    'id',
    'space_id',
    'type',
    'parents',
    'created_by',
    'created_at',
    'merged_from_id',
    'change_request_id',
    'summary',
  ],
  head_page: ['space_id'],
  head_file: ['space_id'],
  head_reusable_content: ['space_id'],
  head_link_count: ['space_id'],
  head_outside_link: ['space_id'],
  search_page: ['space_id'],
};

/** Tables with rows about spaces that a duplicate has none of, or has others, and why. */
const LEFT: Record<string, string> = {
  change_request: 'work on the source',
  comment: 'discussions of the source',
  comment_reaction: 'discussions of the source',
  comment_reply: 'discussions of the source',
  event: 'what happened to the source',
  git_connection: 'one branch belongs to one space',
  git_file: 'one branch belongs to one space',
  git_run: 'what happened to the source',
  git_sync: 'one branch belongs to one space',
  import_run: 'what happened to the source',
  link_invite: 'roles are not copied',
  old_slug: 'addresses that the copy never had',
  requested_reviewer: 'work on the source',
  review: 'work on the source',
  search_source: 'names the source, whose search entries the copy shares',
  site_space: 'the copy is on no site',
  translation: 'the copy is not translated',
};

test('every table with rows about spaces is one that a duplicate copies, or listed with a reason', async () => {
  const { rows } = await sql<{ table: string }>`
    select table_name as "table" from information_schema.columns
    where table_schema = 'public' and column_name = 'space_id'`.execute(db);
  const copied = Object.keys(DUPLICATED).filter((table) => table !== 'space');
  expect([...copied, ...Object.keys(LEFT)].toSorted()).toEqual(rows.map(({ table }) => table).toSorted());
});

test('a duplicate of a space has the values of its source in every column', async () => {
  const { space, page } = await furnish(admin, organizationId);
  const { body: other } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Other' });
  const target = (await admin.get(`/v1/spaces/${other.id}/content/pages`)).body.pages[0];
  const markdown = `[There](space:${other.id}/page:${target.id}) and [here](page:${page}).`;
  const changes = [{ operation: 'insert_page', title: 'Links', document: { markdown } }];
  expect((await admin.post(`/v1/spaces/${space}/content`, { changes })).status).toBe(200);
  const tables = await copiedColumns(DUPLICATED);
  const { revisionId } = await db
    .selectFrom('space')
    .where('id', '=', String(space))
    .select('revisionId')
    .executeTakeFirstOrThrow();
  const whereOf = (table: string, id: string, revision: string) =>
    table === 'space' ? `id = '${id}'` : table === 'revision' ? `id = '${revision}'` : `space_id = '${id}'`;
  for (const [table, columns] of tables) await fillColumns(columns, whereOf(table, String(space), revisionId));
  const { body } = await admin.post(`/v1/spaces/${space}/duplicate`);
  for (const [table, columns] of tables) {
    const values = await valuesOf(columns, whereOf(table, String(space), revisionId));
    expect([table, values.length]).not.toEqual([table, 0]);
    expect([table, await valuesOf(columns, whereOf(table, body.id, body.revision))]).toEqual([table, values]);
  }
});

/** Tables of content that is copied to another organization with a space, since other spaces may share it. */
const TRANSFERRED: Record<string, readonly string[]> = {
  page_node: ['organization_id'],
  manifest_node: ['organization_id'],
  document: ['organization_id'],
  document_section: ['organization_id'],
  document_reference: ['organization_id'],
  source_text: ['organization_id'],
  blob: ['organization_id'],
};

test('a transferred space has all columns of its content in the other organization', async () => {
  const { body: organization } = await admin.post('/v1/orgs', { title: 'Elsewhere' });
  const { body: space } = await admin.post(`/v1/orgs/${organization.id}/spaces`, { title: 'Moving', empty: true });
  const changes = [
    {
      operation: 'insert_files',
      files: [{ name: 'notes.txt', ref: 'notes', base64: btoa('Notes of the transferred space.') }],
    },
    { operation: 'insert_page', title: 'Below', ref: 'below' },
    {
      operation: 'insert_page',
      title: 'Page',
      document: { markdown: 'Words.\n\n# Part\n\n[Below](page:below) and [notes](file:notes).\n' },
    },
  ];
  const edited = await admin.post(`/v1/spaces/${space.id}/content`, { changes });
  expect([edited.status, edited.body.error]).toEqual([200, undefined]);
  const tables = await copiedColumns(TRANSFERRED);
  const ofSpace = `organization_id = '${organization.id}'`;
  for (const [, columns] of tables) await fillColumns(columns, ofSpace);
  const rowsIn = async (id: string) =>
    new Map(
      await Promise.all(
        tables.map(async ([table, columns]) => [table, await valuesOf(columns, `organization_id = '${id}'`)] as const),
      ),
    );
  const [own, others] = [await rowsIn(organization.id), await rowsIn(organizationId)];
  const moved = await admin.post(`/v1/spaces/${space.id}/transfer`, { organization: organizationId });
  expect([moved.status, moved.body.error]).toEqual([200, undefined]);
  const after = await rowsIn(organizationId);
  for (const [table] of tables) {
    // What the organization had already, such as the empty tree, stays as it was there.
    const known = new Set((others.get(table) ?? []).map(hashIn));
    const wanted = (own.get(table) ?? []).filter((row) => !known.has(hashIn(row)));
    expect([table, wanted.length]).not.toEqual([table, 0]);
    expect([table, wanted.filter((row) => !after.get(table)?.includes(row))]).toEqual([table, []]);
  }
});

const hashIn = (row: string): string => {
  const { hash, document_hash: of } = JSON.parse(row);
  return hash ?? of;
};
