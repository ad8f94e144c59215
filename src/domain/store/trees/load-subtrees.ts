import { sql } from 'kysely';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/tables.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { type PlaceRow, pushAll, stream } from './load-tree.ts';
import { nodeColumns } from './node-source.ts';

const KEY = 'subtrees';

/**
 * Pages of a revision and everything below them, siblings in order. A page that the revision lacks is left out. The
 * database walks the whole tree in one statement, but only these pages are read, and they are not kept for the rest of
 * the request.
 */
export async function loadSubtrees(
  db: Database,
  revision: RevisionRow,
  pageIds: readonly string[],
): Promise<LoadedPage[]> {
  const pages = new Map<string, LoadedPage[]>();
  await pushAll(pages, walk(db, revision, pageIds), 'primary', () => KEY);
  return pages.get(KEY) ?? [];
}

const walk = (db: Database, { organizationId, rootHash }: RevisionRow, pageIds: readonly string[]) =>
  stream<PlaceRow>(
    db,
    sql`
      with recursive tree as (
        select c.hash, null::text as parent_id, c.place, ''::text as parent_path, 1 as depth, false as is_below
        from page_node n
        cross join unnest(n.children) with ordinality as c(hash, place)
        where n.organization_id = ${organizationId} and n.hash = ${rootHash}
        union all
        select c.hash, n.page_id, c.place, concat_ws('/', nullif(t.parent_path, ''), n.fields ->> 'slug'), t.depth + 1,
          t.is_below or n.page_id = ${anyOf(pageIds)}
        from tree t
        join page_node n on n.organization_id = ${organizationId} and n.hash = t.hash
        cross join unnest(n.children) with ordinality as c(hash, place)
      )
      select t.parent_id, (t.place - 1)::int as position,
        case when n.kind <> 'link' then concat_ws('/', nullif(t.parent_path, ''), n.fields ->> 'slug') end as path, ${nodeColumns}
      from tree t join page_node n on n.organization_id = ${organizationId} and n.hash = t.hash
      where t.is_below or n.page_id = ${anyOf(pageIds)}
      order by t.depth, t.parent_id nulls first, t.place`,
  );
