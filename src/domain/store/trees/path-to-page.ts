import { sql } from 'kysely';
import { pathInTree } from '../../../lib/tree/paths.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { loadTreeById, type PlaceRow, pageOf } from './load-tree.ts';
import { nodeColumns } from './node-source.ts';

/**
 * Returns the path from the top level to a page, including the page. Empty if the revision lacks the page. For heads,
 * concurrent calls share one statement; for other revisions, the tree is loaded.
 */
export async function pathToPage(ctx: Context, revision: RevisionRow, pageId: string): Promise<LoadedPage[]> {
  return (await pathInHead(ctx, `${revision.id} ${pageId}`)) ?? pathInTree(await loadTreeById(ctx, revision), pageId);
}

const pathInHead = sharedLoader<LoadedPage[]>('way in head with pages', readPaths, { isStored: true });

async function readPaths(db: Database, keys: string[]): Promise<Map<string, LoadedPage[]>> {
  const requests = keys.map((key) => {
    const [revisionId = '', pageId = ''] = key.split(' ');
    return { revisionId, pageId };
  });
  const { rows } = await sql<PlaceRow & { key: string }>`
    with recursive up as (
      select w.key, h.space_id, h.page_id, h.parent_id, 0 as height
      from unnest(${keys}::text[], ${requests.map(({ revisionId }) => revisionId)}::text[],
        ${requests.map(({ pageId }) => pageId)}::text[]) as w(key, revision_id, page_id)
      join revision r on r.id = w.revision_id
      join space s on s.id = r.space_id and s.revision_id = r.id
      join head_page h on h.space_id = s.id and h.page_id = w.page_id
      union all
      select up.key, h.space_id, h.page_id, h.parent_id, up.height + 1
      from up join head_page h on h.space_id = up.space_id and h.page_id = up.parent_id
    )
    select up.key, h.parent_id, h.position, h.path, ${nodeColumns}
    from up
    join head_page h on h.space_id = up.space_id and h.page_id = up.page_id
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    order by up.key, up.height desc`.execute(db);
  const ways = new Map<string, LoadedPage[]>();
  for (const row of rows) ways.set(row.key, [...(ways.get(row.key) ?? []), pageOf(row)]);
  return ways;
}
