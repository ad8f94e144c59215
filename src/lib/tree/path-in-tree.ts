import type { HeadRow } from './rows.ts';

/** Returns the path from the top level to a page, including the page. Empty if the page is not among the pages. */
export function pathInTree<Page extends Pick<HeadRow, 'parentId'>>(
  byId: ReadonlyMap<string, Page>,
  pageId: string,
): Page[] {
  const way: Page[] = [];
  let page = byId.get(pageId);
  while (page) {
    way.push(page);
    page = page.parentId === null ? undefined : byId.get(page.parentId);
  }
  return way.reverse();
}
