import { uniqueSlug } from '../slug.ts';
import { withFields } from '../tree/fields.ts';
import { type PageContent, slugOf } from '../tree/node.ts';
import { fetchNodes, type NodeSource } from '../tree/source.ts';
import type { TreeVersions } from './page-versions.ts';
import type { MergedPage } from './seal-tree.ts';
import type { MergedStructure } from './structure.ts';

/**
 * Adds suffixes to duplicate slugs among siblings. A page that has the slug at the same position in `theirs` keeps it.
 * Loads siblings that are the same in all versions only if a duplicate is possible.
 */
export async function withUniqueSlugs(
  pages: Map<string, MergedPage>,
  versions: TreeVersions,
  { children, parents }: MergedStructure,
  source: NodeSource,
): Promise<void> {
  const isAsIn = (side: 'ours' | 'theirs', name: string) => {
    const page = versions.pages.get(name)?.[side];
    return page !== undefined && page.parentId === parents.get(name) && slugOf(page.node) === slugIn(pages, name);
  };
  for (const names of children.values()) {
    const differing = names.filter((name) => pages.has(name));
    const slugs = differing.flatMap((name) => slugIn(pages, name) ?? []);
    const isProven = differing.every((name) => isAsIn('theirs', name) || isAsIn('ours', name));
    // Slugs are unique on each side, so without duplicates among the differing pages there are none.
    if (isProven && new Set(slugs).size === slugs.length) continue;
    const others = await fetchNodes(
      source,
      names.filter((name) => !pages.has(name)),
    );
    const used = new Set([...others.values()].flatMap((node) => (node.kind === 'root' ? [] : (slugOf(node) ?? []))));
    const isTheirs = (name: string) => isAsIn('theirs', name);
    for (const name of [...differing.filter(isTheirs), ...differing.filter((each) => !isTheirs(each))]) {
      suffix(pages.get(name), used);
    }
  }
}

function suffix(page: MergedPage | undefined, used: Set<string>): void {
  const slug = page && slugOf(page.content);
  if (!page || slug == null) return;
  const free = uniqueSlug(slug, used);
  used.add(free);
  if (free !== slug) page.content = withSlug(page.content, free);
}

const withSlug = (page: PageContent, slug: string): PageContent => withFields(page, { ...page.fields, slug });

const slugIn = (pages: ReadonlyMap<string, MergedPage>, pageId: string): string | null => {
  const page = pages.get(pageId);
  return page ? slugOf(page.content) : null;
};
