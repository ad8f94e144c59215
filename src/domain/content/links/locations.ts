import { type RawBuilder, sql } from 'kysely';
import type { LinkSqlContext } from './sql.ts';

/**
 * The locations of references in a version: pages, reusable contents, and their replacements by an overlay. Each is a
 * statement with rows of `id, kind, space_id, organization_id, document_hash, node_hash, is_put`.
 */
export function holders({ spaceId, revisionId, overlays }: LinkSqlContext): RawBuilder<unknown>[] {
  const counts = (id: RawBuilder<unknown>) =>
    overlays ? sql`and (${revisionId}, ${id}) not in (${overlays.replaced})` : sql``;
  const pages = sql`
    select h.page_id as id, 'page' as kind, h.space_id, h.organization_id, h.document_hash, h.node_hash, false as is_put
    from head_page h where h.space_id = ${spaceId} ${counts(sql`h.page_id`)}`;
  const contents = sql`
    select c.reusable_content_id collate "default" as id, 'reusable-content' as kind, c.space_id, c.organization_id,
      c.document_hash, null::bytea as node_hash, false as is_put
    from head_reusable_content c where c.space_id = ${spaceId} ${counts(sql`c.reusable_content_id collate "default"`)}`;
  const put = sql`
    select o.id, o.kind, ${spaceId} as space_id, o.organization_id, o.document_hash, o.node_hash, true as is_put
    from (${overlays?.put}) o where o.revision_id = ${revisionId}`;
  return overlays ? [pages, contents, put] : [pages, contents];
}

/** All locations in one unordered statement. */
export const locations = (scope: LinkSqlContext): RawBuilder<unknown> => sql.join(holders(scope), sql` union all `);
