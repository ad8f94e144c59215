import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { indexPages } from '../search-index/index.ts';
import { lockContentShared } from './content-lock.ts';

/** Spaces that move from one organization to another. */
export interface ContentTransfer {
  spaceIds: readonly string[];
  from: string;
  to: string;
}

/** Tables of content by space whose rows only change their organization. */
const ROWS = [
  'revision',
  'head_page',
  'head_file',
  'head_reusable_content',
  'head_link_count',
  'head_outside_link',
  'old_slug',
] as const;

/**
 * Moves the content of spaces to another organization: copies the parts of their revisions, because these can be shared
 * with spaces that stay, and sets the new organization on the rows of the spaces. The caller holds the row locks of the
 * spaces.
 */
export async function transferContent(ctx: Context, transfer: ContentTransfer): Promise<void> {
  const { spaceIds, from, to } = transfer;
  for (const organizationId of [from, to].sort()) await lockContentShared(ctx, organizationId);
  await copyContent(ctx, transfer);
  for (const table of ROWS) {
    await sql`update ${sql.table(table)} set organization_id = ${to} where space_id = ${anyOf(spaceIds)}`.execute(
      ctx.db,
    );
  }
  for (const spaceId of spaceIds) await indexAnew(ctx, spaceId, to);
}

/** Documents, nodes and blobs are addressed by their hash within an organization, so that copies have the same key. */
async function copyContent({ db }: Context, { spaceIds, from, to }: ContentTransfer): Promise<void> {
  const copy = (table: string, columns: string, key: string, of: string) => sql`
    insert into ${sql.table(table)} (organization_id, ${sql.raw(columns)})
    select ${to}, ${sql.raw(columns)} from ${sql.table(table)}
    where organization_id = ${from} and ${sql.ref(key)} in (select hash from ${sql.table(of)})
    on conflict do nothing`;
  await sql`
    with recursive ${reached(spaceIds, from)},
    copied_nodes as (${copy('page_node', PAGE_NODE, 'hash', 'page')}),
    copied_manifests as (${copy('manifest_node', 'hash, body', 'hash', 'manifest')}),
    copied_documents as (${copy('document', DOCUMENT, 'hash', 'body')}),
    copied_sections as (${copy('document_section', SECTION, 'document_hash', 'body')}),
    copied_references as (${copy('document_reference', REFERENCE, 'document_hash', 'body')}),
    copied_sources as (${copy('source_text', SOURCE, 'hash', 'source')})
    ${copy('blob', BLOB, 'hash', 'bytes')}`.execute(db);
}

const PAGE_NODE =
  'hash, kind, page_id, fields, document_hash, source_hash, children, created_at, updated_at, updated_by';
const DOCUMENT = 'hash, body, markdown, anchors, uses, derived_version, created_at';
const SECTION = 'document_hash, position, anchor, title, body';
const REFERENCE = 'document_hash, position, kind, relation, target_id, target_space_id, block_key, ref';
const SOURCE = 'hash, head, body, document, links, created_at';
const BLOB = 'hash, size, content_type, width, height, created_at';

/**
 * The hashes that the revisions of the spaces reach, as the tables `page`, `manifest`, `body`, `source` and `bytes`.
 */
const reached = (spaceIds: readonly string[], from: string): RawBuilder<unknown> => sql`
  page(hash) as (
    select r.root_hash from revision r where r.space_id = ${anyOf(spaceIds)}
    union
    select child.hash from page
    join page_node n on n.organization_id = ${from} and n.hash = page.hash
    cross join unnest(n.children) as child(hash)
  ),
  manifest_of(kind, hash) as (
    select m.kind, m.hash from revision r
    cross join lateral (values ('files', r.files_hash), ('contents', r.reusable_contents_hash),
      ('variables', r.variables_hash), ('tags', r.tags_hash)) as m(kind, hash)
    where r.space_id = ${anyOf(spaceIds)} and m.hash is not null
    union
    select m.kind, decode(child ->> 'hash', 'hex') from manifest_of m
    join manifest_node n on n.organization_id = ${from} and n.hash = m.hash
    cross join json_array_elements(n.body -> 'children') child
    where json_typeof(child) = 'object'
  ),
  manifest(hash) as (select hash from manifest_of),
  entry(kind, value) as (
    select m.kind, e.value from manifest_of m
    join manifest_node n on n.organization_id = ${from} and n.hash = m.hash
    cross join json_array_elements(n.body -> 'entries') as e(value)
    where m.kind not in ('variables', 'tags')
  ),
  written(document_hash, source_hash) as materialized (
    select n.document_hash, n.source_hash from page join page_node n on n.organization_id = ${from} and n.hash = page.hash
  ),
  body(hash) as (
    select document_hash from written where document_hash is not null
    union
    select decode(value ->> 'documentHash', 'hex') from entry where kind = 'contents' and value ->> 'documentHash' is not null
  ),
  source(hash) as (
    select source_hash from written where source_hash is not null
    union
    select decode(value ->> 'sourceHash', 'hex') from entry where kind = 'contents' and value ->> 'sourceHash' is not null
  ),
  bytes(hash) as (
    select decode(value ->> 'blob', 'hex') from entry where kind = 'files' and value ->> 'blob' is not null
  )`;

/**
 * Search entries are of an organization, so the pages of the head are indexed again. Duplicates that stay keep the
 * space as their source, since their pages use its entries in the organization that it leaves.
 */
async function indexAnew({ db }: Context, spaceId: string, organizationId: string): Promise<void> {
  await db.deleteFrom('search_page').where('spaceId', '=', spaceId).execute();
  await db.deleteFrom('search_source').where('spaceId', '=', spaceId).execute();
  const pages = await db
    .selectFrom('head_page')
    .where('spaceId', '=', spaceId)
    .where('kind', 'in', ['document', 'computed'])
    .select('pageId')
    .execute();
  await indexPages(db, { spaceId, organizationId }, { changed: pages.map(({ pageId }) => pageId) });
}
