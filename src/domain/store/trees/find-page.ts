import { sql } from 'kysely';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { trimOf } from '../../../lib/trim-characters.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { descendToPage, descendToPath } from './descend.ts';
import { pageIdAtPath } from './former-paths.ts';
import { loadTree, loadTreeById, pageOf } from './load-tree.ts';
import { type NodeRow, nodeColumns } from './node-source.ts';

/** Identifies a page of a revision by its id or by its full path. The empty path is the home page. */
export type PageName = { pageId: string } | { path: string };

/**
 * Maximum length of a path in UTF-16 units: 32 levels of slugs with 100 characters each, and the slashes between them.
 */
const MAX_PAGE_PATH = 32 * 200 + 31;

/**
 * A page of a revision, or undefined. In the head of a space this is one indexed statement, batched. In other revisions
 * the tree is descended from its root, following the slugs of the path or the ancestors that the page has in the head.
 * The whole tree is loaded and cached for the home page, and for pages that have another place in the head. In heads, a
 * former path leads to its page.
 */
export async function findPage(ctx: Context, revision: RevisionRow, name: PageName): Promise<LoadedPage | undefined> {
  const path = 'path' in name ? trimOf(name.path, '/') : undefined;
  if (path !== undefined && path.length > MAX_PAGE_PATH) return undefined;
  const key = 'pageId' in name ? `id:${name.pageId}` : `path:${path}`;
  const inHead = await findInHead(ctx, `${revision.id} ${key}`);
  if (inHead) return inHead;
  if (await isHeadOf(ctx, revision.id)) return path ? findByOldPath(ctx, revision, path) : undefined;
  if (path === '') return homePage(await loadTree(ctx, revision));
  if ('pageId' in name) return findByWay(ctx, revision, name.pageId);
  const page = await descendToPath(ctx, revision, path ?? '');
  if (page || revision.changeRequestId === null) return page;
  // Pages that were renamed in a change request are also found by their path in the head of the space.
  const pageId = await pageIdAtPath(ctx, revision.spaceId, path ?? '');
  return pageId === undefined ? undefined : findByWay(ctx, revision, pageId);
}

/**
 * Tries the place of the page in the head first. Otherwise, the page was moved or does not exist, and the whole tree is
 * searched.
 */
async function findByWay(ctx: Context, revision: RevisionRow, pageId: string): Promise<LoadedPage | undefined> {
  const pageInPlace = await descendToPage(ctx, revision, pageId);
  return pageInPlace ?? (await loadTreeById(ctx, revision)).get(pageId);
}

async function findByOldPath(ctx: Context, revision: RevisionRow, path: string): Promise<LoadedPage | undefined> {
  const pageId = await pageIdAtPath(ctx, revision.spaceId, path);
  return pageId === undefined ? undefined : findInHead(ctx, `${revision.id} id:${pageId}`);
}

/** The first document page in tree order. */
export function homePage(pages: readonly LoadedPage[]): LoadedPage | undefined {
  const children = Map.groupBy(pages, ({ parentId }) => parentId);
  const first = (parentId: string | null): LoadedPage | undefined => {
    for (const page of (children.get(parentId) ?? []).toSorted((a, b) => a.position - b.position)) {
      const home = page.kind === 'document' ? page : first(page.pageId);
      if (home) return home;
    }
    return undefined;
  };
  return first(null);
}

/**
 * The home page of the head of the space `s`. Groups are always at the top level, and links and computed pages have no
 * children, so the home page is at the top level or in a group at the top level.
 */
const homeInHead = sql`
  select first.* from head_page top
  cross join lateral (
    select top.* where top.kind = 'document'
    union all
    (select h.* from head_page h
    where top.kind = 'group' and h.space_id = s.id and h.parent_id = top.page_id and h.kind = 'document'
    order by h.position limit 1)
  ) first
  where top.space_id = s.id and top.parent_id is null
  order by top.position limit 1`;

const findInHead = sharedLoader<LoadedPage>('page in head', readInHead, { isStored: true });

async function readInHead(db: Database, keys: string[]): Promise<Map<string, LoadedPage>> {
  const requests = keys.map((key) => {
    const [revisionId = '', ...rest] = key.split(' ');
    const name = rest.join(' ');
    const isId = name.startsWith('id:');
    const path = isId ? null : name.slice(5);
    return { key, revisionId, pageId: isId ? name.slice(3) : null, path: path || null, isHome: path === '' };
  });
  const { rows } = await sql<NodeRow & { key: string; parentId: string | null; position: number; path: string | null }>`
    select w.key, h.parent_id, h.position, h.path, ${nodeColumns}
    from unnest(${requests.map(({ key }) => key)}::text[], ${requests.map(({ revisionId }) => revisionId)}::text[],
      ${requests.map(({ pageId }) => pageId)}::text[], ${requests.map(({ path }) => path)}::text[],
      ${requests.map(({ isHome }) => isHome)}::boolean[]) as w(key, revision_id, page_id, path, is_home)
    join revision r on r.id = w.revision_id
    join space s on s.id = r.space_id and s.revision_id = r.id
    cross join lateral (
      select h.* from head_page h where h.space_id = s.id and h.page_id = w.page_id
      union all
      select h.* from head_page h where h.space_id = s.id and md5(h.path) = md5(w.path) and h.path = w.path
      union all
      select h.* from (${homeInHead}) h where w.is_home
    ) h
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash`.execute(db);
  return new Map(rows.map((row) => [row.key, pageOf(row)]));
}

/** Whether a revision is the head of its space, batched. */
const headRevisions = sharedLoader<true>('head revisions', async (db, ids) => {
  const rows = await db.selectFrom('space').where('revisionId', '=', anyOf(ids)).select('revisionId').execute();
  return new Map(rows.map(({ revisionId }) => [revisionId, true as const]));
});

const isHeadOf = async (ctx: Context, revisionId: string) => (await headRevisions(ctx, revisionId)) === true;
