import type { PlacedPage } from '../tree/diff.ts';
import type { ConflictResolver, ConflictValue } from './conflict.ts';
import { isSame } from './merge-fields.ts';
import { storedPageContent } from './page-fields.ts';
import type { PageInVersions } from './page-versions.ts';
import { mapThreeWay, type Side } from './three-way.ts';

/** The pages of the merged tree, before their positions are merged. */
export interface Survivors {
  /** The version that a page is taken from as a whole. Null if both sides have it and are merged. */
  alive: Map<string, Side | null>;
  /** Pages deleted by a resolution, with the chosen version: pages below them that it does not have are deleted too. */
  dropped: Map<string, Side>;
  /**
   * Pages added or moved below one for which a resolution chose the base: they are where the base has them, if it does.
   */
  reverted: Set<string>;
}

/**
 * A page that one side deleted is deleted unless the other side edited it, moved it, or put pages below it, which are
 * conflicts. An open conflict keeps the page.
 */
export function findSurvivors(pages: ReadonlyMap<string, PageInVersions>, resolver: ConflictResolver): Survivors {
  const gained = { ours: gainedIn(pages, 'ours'), theirs: gainedIn(pages, 'theirs') };
  const survivors: Survivors = { alive: new Map(), dropped: new Map(), reverted: new Set() };
  for (const [pageId, versions] of pages) {
    if (versions.ours && versions.theirs) survivors.alive.set(pageId, null);
    else if (versions.ours) decide(pageId, versions, 'ours', gained.ours.get(pageId) ?? []);
    else if (versions.theirs) decide(pageId, versions, 'theirs', gained.theirs.get(pageId) ?? []);
  }
  return survivors;

  function decide(pageId: string, versions: PageInVersions, keeper: 'ours' | 'theirs', children: string[]): void {
    const { base } = versions;
    if (base === undefined) return void survivors.alive.set(pageId, keeper);
    const isEdited = versions[keeper] !== undefined && isOwnChange(base, versions[keeper]);
    if (!isEdited && children.length === 0) return;
    const below = withNewBelow(children, pages, gained[keeper]).sort();
    const side = resolver.choose({
      kind: isEdited ? 'deleted-vs-edited' : 'child-under-deleted',
      target: { type: 'page', id: pageId },
      pages: below,
      ...mapThreeWay(versions, pageValue),
    });
    if (side === 'base') for (const child of below) survivors.reverted.add(child);
    if (side !== undefined && versions[side] === undefined) survivors.dropped.set(pageId, side);
    else survivors.alive.set(pageId, side ?? keeper);
  }
}

/** The pages and all new pages below them, which would be deleted together. */
function withNewBelow(
  children: readonly string[],
  pages: ReadonlyMap<string, PageInVersions>,
  gained: ReadonlyMap<string, string[]>,
): string[] {
  const all = new Set(children);
  for (const pageId of all) {
    if (pages.get(pageId)?.base) continue;
    // Iteration over a set includes values that are added meanwhile.
    for (const below of gained.get(pageId) ?? []) all.add(below);
  }
  return [...all];
}

/** A page as a conflict shows it. */
const pageValue = (page: PlacedPage | undefined): ConflictValue =>
  page ? { page: { ...storedPageContent(page.node), parentId: page.parentId } } : null;

/** The pages that one side inserted or moved below each page. */
export function gainedIn(pages: ReadonlyMap<string, PageInVersions>, side: 'ours' | 'theirs'): Map<string, string[]> {
  const gained = new Map<string, string[]>();
  for (const [pageId, versions] of pages) {
    const parentId = versions[side]?.parentId;
    if (parentId == null || versions.base?.parentId === parentId) continue;
    gained.set(parentId, [...(gained.get(parentId) ?? []), pageId]);
  }
  return gained;
}

const isOwnChange = (before: PlacedPage, after: PlacedPage): boolean =>
  before.parentId !== after.parentId ||
  (before.hash !== after.hash && !isSame(storedPageContent(before.node), storedPageContent(after.node)));
