import { sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';

/** Two trees of an organization, by the hashes of their roots in hexadecimal. */
export interface TreePair {
  organizationId: string;
  before: string;
  after: string;
}

/**
 * Of the given pages, the ids of those that have another node or place in the second tree. Pages that it lacks are left
 * out. One statement, whose cost is proportional to the difference: equal subtrees are not read.
 */
export async function selectChangedPageIds(
  db: Database,
  { organizationId, before, after }: TreePair,
  pageIds: readonly string[],
): Promise<Set<string>> {
  if (before === after || pageIds.length === 0) return new Set();
  const { rows } = await sql<{ pageId: string }>`
    with recursive apart as (
      select null::text as page_id, decode(${before}, 'hex') as old, decode(${after}, 'hex') as new
      union all
      select c.page_id, c.old, c.new
      from apart a
      join page_node n on n.organization_id = ${organizationId} and n.hash = a.new
      left join page_node o on o.organization_id = ${organizationId} and o.hash = a.old
      cross join lateral (
        select m.page_id, g.hash as old, m.hash as new
        from (select unnest(n.children) as hash except select unnest(o.children)) fresh
        join page_node m on m.organization_id = ${organizationId} and m.hash = fresh.hash
        left join (
          select p.page_id, p.hash
          from (select unnest(o.children) as hash except select unnest(n.children)) gone
          join page_node p on p.organization_id = ${organizationId} and p.hash = gone.hash
        ) g on g.page_id = m.page_id
      ) c
    )
    select distinct page_id from apart where page_id = any(${pageIds}::text[])`.execute(db);
  return new Set(rows.map(({ pageId }) => pageId));
}
