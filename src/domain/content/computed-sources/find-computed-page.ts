import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { trimOf } from '../../../lib/trim-characters.ts';
import type { Context } from '../../../platform/context/context.ts';
import { findVisiblePage, type PageName, visibleComputedPages } from '../../store/trees/index.ts';
import { expandPage, type ReadRevision } from './expand-pages.ts';

/** A page, and the pages of its computed page, if it belongs to one. */
export interface FoundPage {
  page: LoadedPage;
  /** All pages that replace a computed page, which comes first. */
  expanded?: LoadedPage[];
}

/**
 * Pages of a revision by their ids, as they are read. Each computed page is expanded once. Ids for which
 * `canBeComputed` is false are those of stored pages, and are not looked for among computed ones.
 */
export async function findReadPages(
  ctx: Context,
  revision: ReadRevision,
  pageIds: readonly string[],
  canBeComputed: (pageId: string) => boolean = () => true,
): Promise<Map<string, FoundPage>> {
  const ids = new Set(pageIds);
  const pages = await Promise.all([...ids].map((pageId) => findVisiblePage(ctx, revision, { pageId })));
  const stored = pages.filter((page) => page !== undefined);
  const pagesById = new Map<string, FoundPage>(stored.map((page) => [page.pageId, { page }]));
  const storedRoots = stored.filter(({ kind }) => kind === 'computed');
  const missing = [...ids].filter((pageId) => !pagesById.has(pageId) && canBeComputed(pageId));
  const sought = new Set([...missing, ...storedRoots.map(({ pageId }) => pageId)]);
  for (const root of missing.length === 0 ? storedRoots : await visibleComputedPages(ctx, revision)) {
    if (sought.size === 0) break;
    const expanded = (await expandPage(ctx, revision, root)) ?? [];
    sought.delete(root.pageId);
    for (const page of expanded) {
      if (ids.has(page.pageId)) pagesById.set(page.pageId, { page, expanded });
      sought.delete(page.pageId);
    }
  }
  return pagesById;
}

/**
 * A page of a revision as it is read: `findVisiblePage`, and pages that are computed. Undefined if there is none.
 */
export async function findReadPage(
  ctx: Context,
  revision: ReadRevision,
  name: PageName,
): Promise<FoundPage | undefined> {
  const stored = await findVisiblePage(ctx, revision, name);
  if (stored) {
    const expanded = await expandPage(ctx, revision, stored);
    return expanded?.[0] ? { page: expanded[0], expanded } : { page: stored };
  }
  if (revision.isUncomputed || ('path' in name && trimOf(name.path, '/') === '')) return undefined;
  const path = 'path' in name ? trimOf(name.path, '/') : undefined;
  for (const page of await visibleComputedPages(ctx, revision)) {
    if (path !== undefined && !path.startsWith(`${page.path}/`)) continue;
    const expanded = await expandPage(ctx, revision, page);
    const match = expanded?.find((each) => ('pageId' in name ? each.pageId === name.pageId : each.path === path));
    if (match && expanded) return { page: match, expanded };
  }
  return undefined;
}
