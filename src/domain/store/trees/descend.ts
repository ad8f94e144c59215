import { sql } from 'kysely';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readStored } from '../../../platform/database/replicas/read-stored.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import { headPaths } from './head.ts';
import { type PlaceRow, pageOf } from './load-tree.ts';
import { nodeColumns } from './node-source.ts';

/** The page at a non-empty path of a revision. Only reads its ancestors and their children. */
export const descendToPath = (ctx: Context, revision: RevisionRow, path: string): Promise<LoadedPage | undefined> =>
  descend(ctx, keyOf(revision, { slugs: path.split('/') }));

/**
 * A page of a revision at its place in the head of the space: the ids of its ancestors in the head are followed from
 * the root of the revision. Undefined if the page is at another place in one of the two.
 */
export async function descendToPage(
  ctx: Context,
  revision: RevisionRow,
  pageId: string,
): Promise<LoadedPage | undefined> {
  const pageIds = await pathInHead(ctx, `${revision.spaceId} ${pageId}`);
  return pageIds && descend(ctx, keyOf(revision, { pageIds }));
}

/** Ids of the ancestors of a page in the head of a space, ending with its own id. */
const pathInHead = batchLoader<string[]>('way in head', async (ctx, keys) => {
  const requests = keys.map((key) => {
    const end = key.indexOf(' ');
    return { key, spaceId: key.slice(0, end), pageId: key.slice(end + 1) };
  });
  const ways = new Map<string, string[]>();
  for (const [spaceId, pages] of Map.groupBy(requests, (each) => each.spaceId)) {
    const paths = await headPaths(ctx.db, spaceId)(pages.map(({ pageId }) => pageId));
    for (const { key, pageId } of pages) {
      const path = paths.get(pageId);
      if (path)
        ways.set(
          key,
          path.map((step) => step.pageId),
        );
    }
  }
  return ways;
});

/** Ids or slugs to follow from the root. */
type Way = { pageIds: string[] } | { slugs: string[] };

const keyOf = ({ organizationId, rootHash }: RevisionRow, way: Way): string =>
  JSON.stringify([organizationId, toHex(rootHash), 'pageIds' in way, 'pageIds' in way ? way.pageIds : way.slugs]);

/** Follows all paths in one statement: each step selects the one child with the id or slug. */
const descend = batchLoader<LoadedPage>('descend', (ctx, keys) => readStored(ctx, keys, readDescents));

async function readDescents(db: Database, keys: string[]): Promise<Map<string, LoadedPage>> {
  const requests = keys.map((key) => {
    const [organizationId, root, isById, names] = JSON.parse(key) as [string, string, boolean, string[]]; // see keyOf
    return { key, organizationId, root, isById, names: JSON.stringify(names) };
  });
  const { rows } = await sql<PlaceRow & { key: string }>`
    with recursive down as (
      select w.key, w.is_by_id, w.names, w.organization_id, decode(w.root, 'hex') as hash, null::text as page_id,
        null::text as parent_id, 0::bigint as place, ''::text as path, 0 as depth
      from unnest(${requests.map(({ key }) => key)}::text[], ${requests.map(({ organizationId }) => organizationId)}::text[],
        ${requests.map(({ root }) => root)}::text[], ${requests.map(({ isById }) => isById)}::boolean[],
        ${requests.map(({ names }) => names)}::json[]) as w(key, organization_id, root, is_by_id, names)
      union all
      select d.key, d.is_by_id, d.names, d.organization_id, m.hash, m.page_id, d.page_id, c.place,
        concat_ws('/', nullif(d.path, ''), m.fields ->> 'slug'), d.depth + 1
      from down d
      join page_node n on n.organization_id = d.organization_id and n.hash = d.hash
      cross join unnest(n.children) with ordinality as c(hash, place)
      join page_node m on m.organization_id = d.organization_id and m.hash = c.hash
      where case when d.is_by_id then m.page_id when m.kind <> 'link' then m.fields ->> 'slug' end = d.names ->> d.depth
    )
    select d.key, d.parent_id, (d.place - 1)::int as position, case when n.kind <> 'link' then d.path end as path, ${nodeColumns}
    from down d join page_node n on n.organization_id = d.organization_id and n.hash = d.hash
    where d.depth = json_array_length(d.names) and d.depth > 0`.execute(db);
  return new Map(rows.map((row) => [row.key, pageOf(row)]));
}
