import type { Yielder } from '../tick.ts';
import type { LoadedPage } from './rows.ts';

/** A page at its place in an outline. */
export interface OutlineItem {
  readonly page: LoadedPage;
  /** Number of ancestors. */
  readonly depth: number;
  /** Whether the page or one of its ancestors is hidden. */
  readonly isHidden: boolean;
}

/** All pages of a tree from the top down, each before its child pages, and siblings in order. */
export interface TreeOutline {
  readonly items: readonly OutlineItem[];
  /** The index of each page in `items`. */
  readonly places: ReadonlyMap<string, number>;
}

/** Number of pages between two pauses. */
const PAGES_PER_SLICE = 100;

/** The outline of a tree, which is given by parent. Linear in the number of pages, with pauses. */
export async function treeOutline(
  children: ReadonlyMap<string | null, readonly LoadedPage[]>,
  pause: Yielder,
): Promise<TreeOutline> {
  const items: OutlineItem[] = [];
  const places = new Map<string, number>();
  const open: OutlineItem[] = [];
  const openBelow = (parentId: string | null, depth: number, isBelowHidden: boolean) => {
    for (const page of children.get(parentId)?.toReversed() ?? [])
      open.push({ page, depth, isHidden: isBelowHidden || page.hidden });
  };
  openBelow(null, 0, false);
  for (let item = open.pop(); item; item = open.pop()) {
    if (items.length % PAGES_PER_SLICE === 0) await pause();
    places.set(item.page.pageId, items.length);
    items.push(item);
    openBelow(item.page.pageId, item.depth + 1, item.isHidden);
  }
  return { items, places };
}

/** The range of an outline with the pages below a page: from the first index to before the second. */
export function rangeBelow({ items }: TreeOutline, place: number): [number, number] {
  const depth = items[place]?.depth ?? 0;
  let end = place + 1;
  while ((items[end]?.depth ?? -1) > depth) end++;
  return [place + 1, end];
}
