import { titleOfName } from '../repository/folder-outline.ts';
import { isExternal } from '../repository/links.ts';
import { joinPath } from '../repository/repository-path.ts';
import type { SummaryItem } from '../repository/summary.ts';
import { arrayOrEmpty, memberOf, textAt } from './docusaurus-config.ts';

const MAX_DEPTH = 16;

export const isVitepressConfig = (path: string) => /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/.test(path);

/** The folder of the pages of a VitePress site whose project is in a folder. */
export const vitepressDocs = (config: unknown, folder: string): string =>
  joinPath(folder, textAt(config, 'srcDir') ?? '') ?? folder;

/**
 * The table of contents of a VitePress site by its sidebar. Several sidebars become groups, named by the navigation bar
 * or by their path. Undefined if it has none that can be read.
 */
export function vitepressContents(config: unknown, docs: string): SummaryItem[] | undefined {
  const theme = memberOf(config, 'themeConfig');
  const sidebar = memberOf(theme, 'sidebar');
  if (Array.isArray(sidebar)) return nonEmpty(itemsOf(sidebar, docs, '', 0));
  if (typeof sidebar !== 'object' || sidebar === null) return undefined;
  const titles = new Map(
    arrayOrEmpty(memberOf(theme, 'nav')).map((item) => [textAt(item, 'link') ?? '', textAt(item, 'text')]),
  );
  const groups = Object.entries(sidebar).flatMap(([path, value]) => {
    const items = Array.isArray(value) ? value : memberOf(value, 'items');
    const children = itemsOf(arrayOrEmpty(items), docs, textAt(value, 'base') ?? '', 0);
    const title =
      [...titles].find(([link]) => link.startsWith(path))?.[1] ?? titleOfName(path.replaceAll('/', ' ').trim());
    return children.length > 0 ? [{ title: title || 'Home', isHeading: false, line: 1, children }] : [];
  });
  const [only, ...others] = groups;
  return nonEmpty(only && others.length === 0 ? only.children : groups);
}

const nonEmpty = (items: SummaryItem[]) => (items.length > 0 ? items : undefined);

function itemsOf(items: readonly unknown[], docs: string, base: string, depth: number): SummaryItem[] {
  if (depth > MAX_DEPTH) return [];
  return items.flatMap((item): SummaryItem[] => {
    const [title, link] = [textAt(item, 'text') ?? '', textAt(item, 'link')];
    const itemBase = textAt(item, 'base') ?? base;
    const children = itemsOf(arrayOrEmpty(memberOf(item, 'items')), docs, itemBase, depth + 1);
    if (link === undefined && children.length === 0) return [];
    const url = link === undefined ? {} : { url: isExternal(link) ? link : addressIn(docs, itemBase + link) };
    return [{ title, ...url, isHeading: false, line: 1, children }];
  });
}

/** The address of a page from the root of the archive. Links have no extension, or that of the site. */
export function addressIn(docs: string, link: string): string {
  const [, path = '', anchor = ''] = /^([^#?]*)[^#]*(#.*)?$/s.exec(link) ?? [];
  const place = joinPath(docs, path.replace(/\.html$/, '')) ?? path;
  const slash = path.endsWith('/') && place !== '' ? '/' : '';
  return `/${place.split('/').map(encodeURIComponent).join('/')}${slash}${anchor}`;
}
