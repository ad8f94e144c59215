import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './sql.ts';

/**
 * The locations of references in a version: pages, reusable contents, and their replacements by an overlay. Each is a
 * statement with rows of `id, kind, space_id, organization_id, document_hash, node_hash, is_put`.
 */
export function holders({ spaceId, revisionId, overlays }: Scope): RawBuilder<unknown>[] {
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
export const locations = (scope: Scope): RawBuilder<unknown> => sql.join(holders(scope), sql` union all `);

/**
 * The references in a location `row`, as rows of `position, kind, relation, ref, block_key, target_id,
 * target_space_id`: those of its body in reading order, and those of its fields with negative positions.
 */
export const referencesOf = (row: string): RawBuilder<unknown> => sql`
  select d.position, d.kind, d.relation, d.ref, d.block_key, d.target_id, d.target_space_id
  from document_reference d
  where d.organization_id = ${sql.ref(`${row}.organization_id`)} and d.document_hash = ${sql.ref(`${row}.document_hash`)}
  union all
  select f.position, f.ref ->> 'kind', 'reference', f.ref, null, left(${namedIn('f')}, 200),
    case when f.ref ->> 'kind' <> 'space' then f.ref ->> 'space' end
  from page_node n
  cross join lateral (
    values (-3, n.fields -> 'target'), (-2, n.fields #> '{cover,ref}'), (-1, n.fields #> '{cover,refDark}')
  ) as f(position, ref)
  where n.organization_id = ${sql.ref(`${row}.organization_id`)} and n.hash = ${sql.ref(`${row}.node_hash`)}
    and f.ref is not null`;

/** The id in a JSON reference. */
const namedIn = (row: string) => {
  const ref = sql.ref(`${row}.ref`);
  return sql`case ${ref} ->> 'kind'
    when 'space' then ${ref} ->> 'space'
    else coalesce(${ref} ->> 'page', ${ref} ->> 'file', ${ref} ->> 'reusableContent', ${ref} ->> 'user',
      ${ref} ->> 'collection', ${ref} ->> 'spec')
  end`;
};
