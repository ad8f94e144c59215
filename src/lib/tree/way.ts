import type { HeadRow } from './rows.ts';

/** A page and its ancestors, from the top level down; empty if it is not among the pages. */
export function wayIn<Page extends Pick<HeadRow, 'parentId'>>(byId: ReadonlyMap<string, Page>, pageId: string): Page[] {
  const way: Page[] = [];
  let page = byId.get(pageId);
  while (page) {
    way.push(page);
    page = page.parentId === null ? undefined : byId.get(page.parentId);
  }
  return way.reverse();
}
