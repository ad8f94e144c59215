import { itemOf } from '../foreign-formats/wiki.ts';
import { titleOfName } from '../repository/folder-outline.ts';
import type { SummaryItem } from '../repository/summary.ts';

/** A page with the segments of its URL and its file. */
export interface CrawledPage {
  place: readonly string[];
  file: string;
}

interface Folder {
  file?: string;
  inner: Map<string, Folder>;
}

/**
 * The table of contents of a website by the nesting of its URLs. Siblings are in the order of `navigation`, which has
 * files; those it does not have follow in the order in which they were found. The root page comes first, as a sibling
 * of the others.
 */
export function siteContents(pages: readonly CrawledPage[], navigation: readonly string[] = []): SummaryItem[] {
  const top: Folder = { inner: new Map() };
  const ranks = new Map(navigation.map((file, index) => [file, index] as const).toReversed());
  const rankOf = ({ file }: CrawledPage) => ranks.get(file) ?? Number.MAX_SAFE_INTEGER;
  // A folder without a page has the place of its first page.
  for (const { place, file } of pages.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    let folder = top;
    for (const part of place) {
      const inner = folder.inner.get(part) ?? { inner: new Map() };
      folder.inner.set(part, inner);
      folder = inner;
    }
    folder.file ??= file;
  }
  return [...(top.file === undefined ? [] : [itemOf(top.file)]), ...itemsOf(top)];
}

const itemsOf = ({ inner }: Folder): SummaryItem[] =>
  [...inner].map(([name, folder]) => {
    const children = itemsOf(folder);
    if (folder.file !== undefined) return { ...itemOf(folder.file), children };
    return { title: titleOfName(name), isHeading: false, line: 1, children };
  });
