import type { PlacedPage } from '../tree/diff.ts';
import type { PageKind } from '../tree/node.ts';
import type { ConflictResolver } from './conflict.ts';
import { isSame } from './merge-fields.ts';
import { storedPageContent } from './page-fields.ts';
import { anyVersion, type PageInVersions } from './page-versions.ts';
import { gainedIn, type Survivors } from './survivors.ts';
import { mapThreeWay, pickSide } from './three-way.ts';

const PARENTS: readonly PageKind[] = ['document', 'group'];

export const canHaveChildren = (kind: PageKind): boolean => PARENTS.includes(kind);

/**
 * The pages whose content is taken from one version as a whole: only one side has or changed it, or the kinds differ,
 * which have different fields. The fields of all other pages are merged one by one.
 *
 * A kind that does not fit the position the other side gave the page, or the pages it put below it, is a conflict of
 * the field `kind`. While it is open, the page stays one that can have children.
 */
export function findWholePages(
  pages: ReadonlyMap<string, PageInVersions>,
  { alive }: Survivors,
  resolver: ConflictResolver,
): Map<string, PlacedPage> {
  const wholes = new Map<string, PlacedPage>();
  const gained = { ours: gainedIn(pages, 'ours'), theirs: gainedIn(pages, 'theirs') };
  for (const [pageId, from] of alive) {
    const versions = pages.get(pageId);
    const whole = versions && (from ? versions[from] : choose(pageId, versions));
    if (whole) wholes.set(pageId, whole);
  }
  return wholes;

  function choose(pageId: string, versions: PageInVersions): PlacedPage | undefined {
    const side = pickSide(
      versions,
      (a, b) => a === b || (!!a && !!b && isSame(storedPageContent(a.node), storedPageContent(b.node))),
    );
    const kinds = mapThreeWay(versions, (page) => page?.node.kind);
    const isKept = kinds.ours === kinds.theirs && (kinds.base === kinds.ours || kinds.base === undefined);
    if (side && (isKept || fits(pageId, versions[side], side === 'ours' ? 'theirs' : 'ours'))) return versions[side];
    if (isKept) return undefined;
    const values = mapThreeWay(versions, (page) =>
      page ? { page: { ...storedPageContent(page.node), parentId: page.parentId } } : null,
    );
    const chosen = resolver.choose({ kind: 'field', target: { type: 'page', id: pageId }, field: 'kind', ...values });
    if (chosen) return versions[chosen] ?? anyVersion(versions);
    return [versions.theirs, versions.ours].find((page) => page?.node.kind === 'document') ?? versions.theirs;
  }

  function fits(pageId: string, page: PlacedPage | undefined, other: 'ours' | 'theirs'): boolean {
    if (!page) return false;
    if (page.node.kind === 'group') return (pages.get(pageId)?.[other]?.parentId ?? null) === null;
    return canHaveChildren(page.node.kind) || !gained[other].has(pageId);
  }
}
