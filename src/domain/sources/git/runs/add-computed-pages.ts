import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import type { SnapshotPage } from '../../../content/import-engine/index.ts';

/**
 * Adds the computed pages that the space had, which no branch has. Each follows the page that it followed among its
 * siblings. Where the branch no longer has its parent, it moves up to the nearest page that is left.
 */
export function addComputedPages(
  pages: readonly SnapshotPage[],
  former: ReadonlyMap<string, LoadedPage>,
): SnapshotPage[] {
  const all = [...pages];
  const parents = new Map(pages.map(({ pageId, parentId }) => [pageId, parentId]));
  const siblings = Map.groupBy(former.values(), ({ parentId }) => parentId);
  for (const page of former.values()) {
    if (page.kind !== 'computed' || parents.has(page.pageId)) continue;
    let parentId = page.parentId;
    while (parentId !== null && !parents.has(parentId)) parentId = former.get(parentId)?.parentId ?? null;
    const before = (siblings.get(page.parentId) ?? [])
      .filter(({ pageId, position }) => position < page.position && parents.get(pageId) === parentId)
      .toSorted((a, b) => b.position - a.position);
    // Parents come before their children, and siblings are in order. A page that moved up comes last.
    const after = before[0]?.pageId ?? (parentId === page.parentId ? parentId : undefined);
    const index = after === undefined ? all.length : after === null ? 0 : 1 + indexOf(all, after);
    all.splice(index, 0, { ...computedPage(page, all, parentId), parentId });
    parents.set(page.pageId, parentId);
  }
  return all;
}

const indexOf = (pages: readonly SnapshotPage[], id: string) => pages.findIndex(({ pageId }) => pageId === id);

/** The page, with another slug if a page of the branch has its slug. */
function computedPage({ pageId, node }: LoadedPage, pages: readonly SnapshotPage[], parentId: string | null) {
  const fields = node.fields as unknown as Record<string, unknown> & { slug: string }; // the fields of any kind
  const usedSlugs = new Set(pages.flatMap((page) => (page.parentId === parentId ? [page.fields.slug] : [])));
  let slug = fields.slug;
  for (let number = 1; usedSlugs.has(slug); number++) slug = `${fields.slug}-${number}`;
  return { pageId, kind: node.kind, fields: { ...fields, slug }, documentHash: undefined, sourceHash: undefined };
}
