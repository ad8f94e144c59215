import { type RawBuilder, sql } from 'kysely';
import type { PathLookup, PathStep } from '../../../lib/tree/paths.ts';
import type { OwnChanges, ProjectionChanges } from '../../../lib/tree/projection.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { toHex } from '../revisions/index.ts';
import { indexPages } from '../search-index/index.ts';

/** The paths from the root of a space's head to pages, in one statement, regardless of the size of the space. */
export const headPaths =
  (db: Database, spaceId: string): PathLookup =>
  async (pageIds) => {
    const { rows } = await sql<{ targetId: string; pageId: string; nodeHash: Buffer; position: number }>`
      with recursive up as (
        select h.page_id as target_id, h.page_id, h.parent_id, h.node_hash, h.position, 0 as height
        from head_page h where h.space_id = ${spaceId} and h.page_id = any(${pageIds}::text[])
        union all
        select up.target_id, h.page_id, h.parent_id, h.node_hash, h.position, up.height + 1
        from up join head_page h on h.space_id = ${spaceId} and h.page_id = up.parent_id
      )
      select target_id, page_id, node_hash, position from up order by target_id, height desc`.execute(db);
    const paths = new Map<string, PathStep[]>();
    for (const { targetId, pageId, nodeHash, position } of rows) {
      const path = paths.get(targetId) ?? [];
      path.push({ pageId, nodeHash: toHex(nodeHash), position });
      paths.set(targetId, path);
    }
    return paths;
  };

/**
 * Updates the head projection of a space and its search index, in proportion to the changes: at most three statements,
 * plus those of the search index. One of them sets the paths of all pages below those with a new path. Former slugs of
 * pages are stored in `old_slug`.
 */
export async function projectOntoHead(
  ctx: Context,
  target: { organizationId: string; spaceId: string },
  { upserts, deletes, newPaths }: OwnChanges,
): Promise<void> {
  const { spaceId } = target;
  if (deletes.length > 0) {
    await sql`
      with gone as (
        delete from head_page where space_id = ${spaceId} and page_id = any(${deletes}::text[])
        returning space_id, organization_id, page_id, parent_id, path
      )
      ${rememberSlugs(ctx, sql`select * from gone where path is not null`)}`.execute(ctx.db);
  }
  if (upserts.length > 0) await writePages(ctx, target, upserts);
  if (newPaths.length > 0) await passOnPaths(ctx, spaceId, newPaths);
  await indexPages(ctx.db, target, { changed: upserts.map(({ pageId }) => pageId), removed: deletes });
}

async function writePages(
  ctx: Context,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  upserts: ProjectionChanges['upserts'],
): Promise<void> {
  await sql`
    with n as (
      select * from json_to_recordset(${JSON.stringify(upserts)}::json) as n("pageId" text, "parentId" text, position int, kind text,
        title text, path text, hidden boolean, "documentHash" text, "nodeHash" text)
    ), left_behind as (
      ${rememberSlugs(
        ctx,
        sql`
        select h.space_id, h.organization_id, h.page_id, h.parent_id, h.path
        from n join head_page h on h.space_id = ${spaceId} and h.page_id = n."pageId"
        where h.path is not null and n.path is not null
          and (h.parent_id is distinct from n."parentId" or ${slugOf('h')} <> ${slugOf('n')})`,
      )}
    )
    insert into head_page (space_id, page_id, organization_id, parent_id, position, kind, title, path, is_hidden, document_hash, node_hash)
    select ${spaceId}, n."pageId", ${organizationId}, n."parentId", n.position, n.kind, n.title, n.path, n.hidden,
      decode(n."documentHash", 'hex'), decode(n."nodeHash", 'hex')
    from n
    on conflict (space_id, page_id) do update set
      parent_id = excluded.parent_id, position = excluded.position, kind = excluded.kind, title = excluded.title,
      path = excluded.path, is_hidden = excluded.is_hidden, document_hash = excluded.document_hash,
      node_hash = excluded.node_hash`.execute(ctx.db);
}

/** Sets the paths of all pages below the given ones, whose own paths are already set. */
async function passOnPaths(ctx: Context, spaceId: string, pageIds: readonly string[]): Promise<void> {
  await sql`
    with recursive below as (
      select p.page_id, p.path from head_page p where p.space_id = ${spaceId} and p.page_id = any(${pageIds}::text[])
      union all
      select c.page_id, concat(b.path, '/', ${slugOf('c')})
      from below b join head_page c on c.space_id = ${spaceId} and c.parent_id = b.page_id
      where c.path is not null
    )
    update head_page h set path = b.path
    from below b where h.space_id = ${spaceId} and h.page_id = b.page_id and h.path <> b.path`.execute(ctx.db);
}

/** Stores former slugs of pages. If two pages had the same slug, the later one wins. */
const rememberSlugs = (ctx: Context, pages: RawBuilder<unknown>) => sql`
  insert into old_slug (space_id, parent_id, slug, organization_id, page_id, changed_at)
  select p.space_id, coalesce(p.parent_id, ''), ${slugOf('p')}, p.organization_id, p.page_id, ${nowOf(ctx)}::timestamptz
  from (${pages}) p
  on conflict (space_id, parent_id, slug) do update set page_id = excluded.page_id, changed_at = excluded.changed_at`;

/** The last segment of a path. */
const slugOf = (row: string) => sql`split_part(${sql.ref(`${row}.path`)}, '/', -1)`;
