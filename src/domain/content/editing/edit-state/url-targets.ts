import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import { referencesOf } from '../../../../lib/document/references.ts';
import type { UrlTargets } from '../../../../lib/document/service-url.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { loadDocument } from '../../../store/bodies/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { findVisiblePage } from '../../../store/trees/index.ts';
import { findTargets, pathsOfPages } from '../../addresses/index.ts';
import type { NewPage, NewPages } from './new-pages.ts';
import type { Refs } from './refs.ts';

interface Writing {
  /** The page of the text, existing or new; undefined for reusable contents. */
  on: NewPage | { pageId: string } | undefined;
  newPages: NewPages;
  refs: Refs;
}

/**
 * The targets of URLs in a text of an edit, in the content before the edit and among the pages that it creates, which
 * are found by their requested paths.
 */
export async function urlTargets(
  ctx: Context,
  addresses: readonly string[],
  revision: RevisionRow,
  { on, newPages, refs }: Writing,
): Promise<UrlTargets> {
  const created = await createdPaths(ctx, revision, newPages, refs);
  const path = on && created.get(on.pageId);
  const before = async () => (on && path === undefined ? refsOn(ctx, revision, on.pageId) : []);
  return findTargets(ctx, addresses, {
    revision,
    ...(on && { page: path === undefined ? { id: on.pageId } : { path } }),
    // The first page that requests a path gets it.
    newPages: new Map([...created].reverse().map(([pageId, at]) => [at, pageId])),
    filesBefore: async () => idsOf(await before(), 'file'),
    specsBefore: async () => idsOf(await before(), 'openapi'),
  });
}

/** Paths of the pages that a call creates, by id. Pages below a parent that does not exist have none. */
export async function createdPaths(
  ctx: Context,
  revision: RevisionRow,
  newPages: NewPages,
  refs: Refs,
): Promise<Map<string, string>> {
  const pages = newPages.all.map((page) => ({ ...page, parentId: page.parentId && refs.idOf(page.parentId) }));
  const byId = new Map(pages.map((page) => [page.pageId, page]));
  const parentIds = pages.flatMap(({ parentId }) => (parentId === null || byId.has(parentId) ? [] : parentId));
  const present = parentIds.length === 0 ? new Map() : await pathsOfPages(ctx, revision, parentIds);
  const paths = new Map<string, string>();
  // New parents come before their children.
  for (const { pageId, parentId, slug } of pages) {
    const above = parentId === null ? '' : (paths.get(parentId) ?? present.get(parentId));
    if (above !== undefined && above !== null) paths.set(pageId, above === '' ? slug : `${above}/${slug}`);
  }
  return paths;
}

/** The references that a page has. */
async function refsOn(ctx: Context, revision: RevisionRow, pageId: string): Promise<ContentRef[]> {
  const page = await findVisiblePage(ctx, revision, { pageId });
  if (page?.documentHash == null) return [];
  const { body } = await loadDocument(ctx, revision.organizationId, page.documentHash);
  return referencesOf(body).map(({ ref }) => ref);
}

const idsOf = (refs: readonly ContentRef[], kind: 'file' | 'openapi'): Set<string> =>
  new Set(
    refs.flatMap((ref) => {
      if (ref.kind !== kind) return [];
      return ref.kind === 'file' ? ref.file : ref.kind === 'openapi' ? ref.spec : [];
    }),
  );
