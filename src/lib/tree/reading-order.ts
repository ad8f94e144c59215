import type { HeadRow } from './rows.ts';

/** The pages of a tree in reading order. */
export interface ReadingOrder {
  readonly pageIds: readonly string[];
  /** The index of each page in `pageIds`. */
  readonly places: ReadonlyMap<string, number>;
}

export type PlacedRow = Pick<HeadRow, 'pageId' | 'parentId' | 'position' | 'kind' | 'hidden'>;

/**
 * Document pages from the top down, each before its child pages, as published sites link them. Groups, links and
 * computed pages are skipped, and hidden pages are skipped with all their descendants. Linear in the number of pages.
 */
export function readingOrderOf(pages: readonly PlacedRow[]): ReadingOrder {
  const children = Map.groupBy(pages, ({ parentId }) => parentId);
  const pageIds: string[] = [];
  const read = (parentId: string | null) => {
    for (const page of (children.get(parentId) ?? []).toSorted((a, b) => a.position - b.position)) {
      if (page.hidden) continue;
      if (page.kind === 'document') pageIds.push(page.pageId);
      read(page.pageId);
    }
  };
  read(null);
  return { pageIds, places: new Map(pageIds.map((pageId, place) => [pageId, place])) };
}
