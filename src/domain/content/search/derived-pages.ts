import { LRUCache } from 'lru-cache';
import { pageTerms } from '../../../lib/search/page-terms.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { ComputedFields, DocumentFields } from '../../../lib/tree/node.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type ComputedRoot, computedRoots } from '../../store/trees/index.ts';
import { expandRoot, kindOfSource } from '../computed-sources/index.ts';
import type { DerivedPage } from './derived-page.ts';
import { pagesWithBlocks } from './pages-with-blocks.ts';
import type { SearchScope } from './scope.ts';

/** Computed pages of one search, each with all pages below it. Further ones are not searched. */
const MAX_ROOTS = 20;

/**
 * Memory in bytes of all pages in the cache, which can keep those of any computed page: further ones are not searched.
 */
const MAX_MEMORY = 50_000_000;

/** The searchable pages of computed pages, by their place and the state of their source. */
const pageCache = new LRUCache<string, DerivedPage[]>({
  maxSize: MAX_MEMORY,
  sizeCalculation: (pages) => 1 + memoryOf(pages),
});

const memoryOf = (pages: readonly DerivedPage[]) => pages.reduce((sum, page) => sum + memoryOfPage(page), 0);

/** Roughly the memory of a page in bytes: of itself, its texts and its terms. */
const memoryOfPage = ({ sections, fields }: DerivedPage) =>
  sections.reduce((sum, { body }) => sum + 200 + body.length, 1_000) + 100 * fields.anywhere.size;

/**
 * The pages of a scope that sources are searched for: pages that are computed, and pages with blocks that show content
 * of a source. Without those that are hidden from the caller. Two statements, and more for pages that are not known
 * yet.
 */
export async function derivedPages(ctx: Context, scope: SearchScope): Promise<DerivedPage[]> {
  const roots = await computedRoots(ctx, { spaceIds: scope.spaces.map(({ id }) => id), limit: MAX_ROOTS });
  const seen = roots.filter(({ spaceId, page }) => isSeen(scope, spaceId, page));
  const seeds = await Promise.all(seen.map((root) => seedOf(ctx, scope.organizationId, root)));
  const computed: DerivedPage[][] = [];
  let memory = 0;
  // One after another, because each can take as much memory as all of them may.
  for (const [index, root] of seen.entries()) {
    const seed = seeds[index];
    if (seed === undefined) continue;
    if (memory >= MAX_MEMORY) break;
    const pages = await pagesOfRoot(ctx, scope.organizationId, root, seed);
    memory += memoryOf(pages);
    computed.push(pages);
  }
  return [...computed.flat(), ...(await pagesWithBlocks(ctx, scope))];
}

function isSeen({ spaces }: SearchScope, spaceId: string, { pageId, node }: LoadedPage): boolean {
  const space = spaces.find(({ id }) => id === spaceId);
  const isFound = space?.findsAll === true || (node.fields as DocumentFields).noIndex !== true;
  return space !== undefined && isFound && !space.hidden?.includes(pageId);
}

/** The state of the source of a computed page. Undefined if it cannot be searched. */
async function seedOf(ctx: Context, organizationId: string, { page }: ComputedRoot): Promise<string | undefined> {
  const source = (page.node.fields as ComputedFields).computed;
  return kindOfSource(source)?.search?.seed(ctx, organizationId, source);
}

async function pagesOfRoot(
  ctx: Context,
  organizationId: string,
  root: ComputedRoot,
  seed: string,
): Promise<DerivedPage[]> {
  const { pageId, path, nodeHash } = root.page;
  const key = JSON.stringify([root.spaceId, pageId, path, nodeHash, root.above, seed]);
  const pages = pageCache.get(key) ?? (await makePages(ctx, organizationId, root));
  pageCache.set(key, pages);
  return pages;
}

async function makePages(ctx: Context, organizationId: string, root: ComputedRoot): Promise<DerivedPage[]> {
  const expanded = (await expandRoot(ctx, organizationId, root.page)) ?? [];
  const ancestors = new Map<string | null, string[]>([[root.page.parentId, root.above]]);
  const pages: DerivedPage[] = [];
  const pause = makeYielder();
  let memory = 0;
  for (const { pageId, parentId, path, node } of expanded) {
    await pause();
    const { title, description = '', computed } = node.fields as DocumentFields; // they replace a computed page
    const above = ancestors.get(parentId) ?? [];
    ancestors.set(pageId, [...above, title]);
    const sections =
      (computed && (await kindOfSource(computed)?.search?.sections(ctx, organizationId, computed))) ?? [];
    const { fields, length } = pageTerms({ title, description, sections });
    const page = {
      spaceId: root.spaceId,
      pageId,
      title,
      path,
      description,
      ancestors: above,
      sections,
      fields,
      length,
    };
    memory += memoryOfPage(page);
    if (memory >= MAX_MEMORY) break;
    pages.push(page);
  }
  return pages;
}
