import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { descendToPage } from './descend.ts';
import { loadTreeById } from './load-tree.ts';

/** Maximum number of revisions whose whole tree is read because the page is not at its present place. */
const MAX_TREES = 3;

/** Versions of a page in revisions, newest first. */
export interface PageVersions {
  pages: LoadedPage[];
  /** The last one is where the page was added: the revision before it does not have it. */
  isWhole: boolean;
}

/**
 * A page in the given revisions, newest first, until the first that does not have it. All are read in two statements,
 * at the place that the page has in the head. Where it is not there, it was added later or moved: that takes a whole
 * tree to tell, so that what is before the third such revision is left out.
 *
 * Conditions are not checked. Callers without a role must learn nothing of versions but that they exist.
 */
export async function versionsOfPage(
  ctx: Context,
  revisions: readonly RevisionRow[],
  pageId: string,
): Promise<PageVersions> {
  const candidates = await Promise.all(revisions.map((revision) => descendToPage(ctx, revision, pageId)));
  const pages: LoadedPage[] = [];
  let trees = 0;
  for (const [index, revision] of revisions.entries()) {
    if (!candidates[index] && trees++ === MAX_TREES) break;
    const page = candidates[index] ?? (await loadTreeById(ctx, revision)).get(pageId);
    if (!page) return { pages, isWhole: true };
    pages.push(page);
  }
  return { pages, isWhole: false };
}
