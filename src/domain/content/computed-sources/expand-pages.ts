import { LRUCache } from 'lru-cache';
import type { DocumentFields, StoredPage, StoredSource } from '../../../lib/tree/node.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { derivedId } from '../../../platform/ids/ids.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { type Computed, type ComputedPage, kindOfSource } from './computed-sources.ts';

/** A revision, and how it is read. */
export type ReadRevision = RevisionRow & {
  /** Computed pages are read as their sources. */
  isUncomputed?: true;
  /**
   * ID of the space or change request whose current content is read. Ids of pages then name it instead of the revision.
   */
  currentOf?: string;
};

/**
 * Replaces the computed pages of a tree by document pages with the same id, title and path, followed by the pages below
 * them. Pages whose source cannot be computed stay. Returns the same list if there is nothing to replace.
 */
export async function expandPages(
  ctx: Context,
  revision: ReadRevision,
  pages: readonly LoadedPage[],
): Promise<LoadedPage[]> {
  if (revision.isUncomputed || !pages.some(({ kind }) => kind === 'computed')) return pages as LoadedPage[]; // not changed by readers
  const expanded = await Promise.all(pages.map(async (page) => (await expandPage(ctx, revision, page)) ?? [page]));
  return expanded.flat();
}

/** The replacement of a computed page: itself as a document page, and all pages below it. */
export async function expandPage(
  ctx: Context,
  { organizationId, isUncomputed }: ReadRevision,
  page: LoadedPage,
): Promise<LoadedPage[] | undefined> {
  return isUncomputed ? undefined : expandRoot(ctx, organizationId, page);
}

/** The same for a page of an organization. */
export async function expandRoot(
  ctx: Context,
  organizationId: string,
  page: LoadedPage,
): Promise<LoadedPage[] | undefined> {
  const { node } = page;
  if (node.kind !== 'computed') return undefined;
  const source = node.fields.computed;
  const computed = await kindOfSource(source)?.pages(ctx, organizationId, source);
  if (!computed) return undefined;
  const { pageId, parentId, position, path, hidden, nodeHash } = page;
  const { createdAt, updatedAt, updatedBy } = node;
  const times = [createdAt, updatedAt, updatedBy, computed.updatedAt];
  const key = JSON.stringify([pageId, parentId, position, path, hidden, nodeHash, times, computed.seed]);
  const pages = expansions.get(key) ?? replaced(page, computed);
  expansions.set(key, pages);
  return pages;
}

/**
 * Lists that replaced a page before, by everything that they are made from: the place of the page, its fields (in the
 * hash of its node) and the state of its source. Readers do not change them. There is room for the largest list, of an
 * OpenAPI specification.
 */
const expansions = new LRUCache<string, LoadedPage[]>({ maxSize: 25_000, sizeCalculation: ({ length }) => length + 1 });

/** The pages that a source computes, at the top level of a tree of their own. Undefined if it cannot be computed. */
export async function expandSource(
  ctx: Context,
  { organizationId, createdAt }: RevisionRow,
  source: StoredSource,
): Promise<LoadedPage[] | undefined> {
  const computed = await kindOfSource(source)?.pages(ctx, organizationId, source);
  if (!computed) return undefined;
  const fields: DocumentFields = { title: '', slug: '' };
  const times = { createdAt, updatedAt: createdAt, updatedBy: null };
  const node: StoredPage = { kind: 'document', pageId: '', fields, children: [], ...times };
  const place = { pageId: '', parentId: null, position: 0, path: null, title: '', hidden: false, documentHash: null };
  const root: LoadedPage = { ...place, kind: 'document', nodeHash: '', node };
  const all: LoadedPage[] = [];
  addBelow(all, { pageId: null, path: null }, computed.pages, { root, computed });
  return all;
}

function replaced(page: LoadedPage, computed: Computed): LoadedPage[] {
  const { computed: _, ...fields } = page.node.fields as DocumentFields;
  const { description, source, seed, updatedAt } = computed;
  const replacement = documentPage(page, {
    ...fields,
    ...(description !== undefined && { description }),
    computed: source,
    computedSeed: seed,
  });
  const all = [{ ...replacement, node: { ...replacement.node, updatedAt } } as LoadedPage];
  addBelow(all, replacement, computed.pages, { root: page, computed });
  return all;
}

interface Origin {
  root: LoadedPage;
  computed: Computed;
}

/** The parent of computed pages. Null at the top level. */
interface Above {
  pageId: string | null;
  path: string | null;
}

/** Ids of the pages below a computed page. Empty for pages that are not computed, or cannot be. */
export async function computedPageIds(ctx: Context, organizationId: string, node: StoredPage): Promise<string[]> {
  if (node.kind !== 'computed') return [];
  const source = node.fields.computed;
  const computed = await kindOfSource(source)?.pages(ctx, organizationId, source);
  const idsOf = (pages: readonly ComputedPage[]): string[] =>
    pages.flatMap(({ key, pages: below }) => [idBelow(node.pageId, key), ...idsOf(below)]);
  return idsOf(computed?.pages ?? []);
}

/** The status of links computes the same ids in SQL (`isComputedPage`). */
const idBelow = (rootId: string, key: string) => derivedId('page', `${rootId} ${key}`);

function addBelow(all: LoadedPage[], parent: Above, pages: readonly ComputedPage[], origin: Origin): void {
  const { root, computed } = origin;
  for (const [position, { key, title, slug, description, icon, source, pages: below }] of pages.entries()) {
    const fields: DocumentFields = {
      title,
      slug,
      ...(description !== undefined && { description }),
      ...(icon !== undefined && { icon }),
      computed: source,
      computedSeed: computed.seed,
    };
    const place = {
      ...root,
      pageId: idBelow(root.pageId, key),
      parentId: parent.pageId,
      position,
      path: parent.path === null ? slug : `${parent.path}/${slug}`,
      hidden: false,
      node: { ...root.node, createdAt: root.node.createdAt, updatedAt: computed.updatedAt },
    };
    const page = documentPage(place, fields);
    all.push(page);
    addBelow(all, page, below, origin);
  }
}

function documentPage(place: LoadedPage, fields: DocumentFields): LoadedPage {
  const { createdAt, updatedAt, updatedBy } = place.node;
  const node: StoredPage = {
    kind: 'document',
    pageId: place.pageId,
    fields,
    children: [],
    createdAt,
    updatedAt,
    updatedBy,
  };
  return { ...place, kind: 'document', title: fields.title, documentHash: null, node };
}
