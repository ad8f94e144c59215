import { isExternal } from '../repository/links.ts';
import type { SummaryItem } from '../repository/summary.ts';
import { arrayOrEmpty, memberOf, textAt } from './docusaurus-config.ts';
import { addressIn } from './vitepress.ts';

const MAX_DEPTH = 16;

export const isMintlifyConfig = (path: string) => /(?:^|\/)(?:docs|mint)\.json$/.test(path);

/** Names of the divisions of a navigation, from the outside to the inside, each with the member that has its title. */
const DIVISIONS = [
  ['languages', 'language'],
  ['versions', 'version'],
  ['products', 'product'],
  ['dropdowns', 'dropdown'],
  ['tabs', 'tab'],
  ['anchors', 'anchor'],
  ['menu', 'item'],
  ['groups', 'group'],
] as const;

/** The table of contents of a Mintlify site by its `docs.json` or `mint.json`. Undefined if that has no navigation. */
export function mintlifyContents(config: unknown, folder: string): SummaryItem[] | undefined {
  const navigation = memberOf(config, 'navigation');
  const items = Array.isArray(navigation) ? pagesOf(navigation, folder, 0) : divisionOf(navigation, folder, 0);
  return items.length > 0 ? items : undefined;
}

function divisionOf(value: unknown, folder: string, depth: number): SummaryItem[] {
  if (depth > MAX_DEPTH) return [];
  const inner = DIVISIONS.flatMap(([list, name]) =>
    arrayOrEmpty(memberOf(value, list)).flatMap((part): SummaryItem[] => {
      const [title, href] = [textAt(part, name) ?? '', textAt(part, 'href')];
      const children = divisionOf(part, folder, depth + 1);
      if (children.length === 0 && href === undefined) return [];
      return [{ title, ...(href && isExternal(href) ? { url: href } : {}), isHeading: false, line: 1, children }];
    }),
  );
  return [...inner, ...pagesOf(arrayOrEmpty(memberOf(value, 'pages')), folder, depth + 1)];
}

/** Pages are paths without extension. Other strings are operations of an OpenAPI specification. */
function pagesOf(pages: readonly unknown[], folder: string, depth: number): SummaryItem[] {
  if (depth > MAX_DEPTH) return [];
  return pages.flatMap((page): SummaryItem[] => {
    if (typeof page === 'string') {
      if (/\s/.test(page)) return [];
      return [{ title: '', url: addressIn(folder, page), isHeading: false, line: 1, children: [] }];
    }
    const title = textAt(page, 'group') ?? '';
    const children = pagesOf(arrayOrEmpty(memberOf(page, 'pages')), folder, depth + 1);
    const root = textAt(page, 'root');
    const url = root === undefined ? {} : { url: addressIn(folder, root) };
    return children.length > 0 || root !== undefined ? [{ title, ...url, isHeading: false, line: 1, children }] : [];
  });
}
