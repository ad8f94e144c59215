import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { hashPrefixOf, isId } from '../../../platform/ids/ids.ts';

/** Location of a body in the primary content of a space. */
export interface PlacesOfDocument {
  pages: { pageId: string; path: string | null }[];
  /** IDs of reusable contents. */
  contentIds: string[];
}

/** The part of a hash that an id does not contain. */
const REST_BYTES = 16;

/**
 * The hash (in hexadecimal) of a body in the primary content of a space by its id; undefined if the content has no such
 * body. Uses two index scans, regardless of the size of the space, and reads no body.
 */
export async function hashOfDocument(
  ctx: Context,
  space: Pick<Row<'space'>, 'id' | 'organizationId'>,
  documentId: string,
): Promise<string | undefined> {
  if (!isId('doc', documentId)) return undefined;
  const has = (table: 'head_page' | 'head_reusable_content') => sql<{ hash: string }>`
    select encode(h.document_hash, 'hex') as hash from ${sql.table(table)} h where ${isBodyOf(space, documentId)}`;
  const { rows } = await sql<{ hash: string }>`
    (${has('head_page')} limit 1) union all (${has('head_reusable_content')} limit 1) limit 1`.execute(ctx.db);
  return rows[0]?.hash;
}

/** The pages and reusable contents of the primary content of a space that have a body. */
export async function placesOfDocument(
  ctx: Context,
  space: Pick<Row<'space'>, 'id' | 'organizationId'>,
  documentId: string,
): Promise<PlacesOfDocument> {
  const { rows } = await sql<{ pageId: string | null; path: string | null; contentId: string | null }>`
    select h.page_id, h.path, null as content_id from head_page h where ${isBodyOf(space, documentId)}
    union all
    select null, null, h.reusable_content_id collate "default" from head_reusable_content h
    where ${isBodyOf(space, documentId)}`.execute(ctx.db);
  return {
    pages: rows.flatMap(({ pageId, path }) => (pageId === null ? [] : [{ pageId, path }])),
    contentIds: rows.flatMap(({ contentId }) => contentId ?? []),
  };
}

/** The condition that a row `h` of a head has a body. */
function isBodyOf({ id, organizationId }: Pick<Row<'space'>, 'id' | 'organizationId'>, documentId: string) {
  const prefix = hashPrefixOf(documentId);
  const [least, most] = [0x00, 0xff].map((byte) => Buffer.concat([prefix, Buffer.alloc(REST_BYTES, byte)]));
  return sql`h.organization_id = ${organizationId} and h.document_hash between ${least} and ${most} and h.space_id = ${id}`;
}
