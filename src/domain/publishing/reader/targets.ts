import type { ContentRef, RefOf } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { referencesOf } from '../../../lib/document/references.ts';
import { stableUrl } from '../../../lib/document/stable-url.ts';
import type { WebTarget } from '../../../lib/document-html/printing.ts';
import { findReadPage } from '../../content/computed-sources/index.ts';
import { downloadUrl } from '../../content/files/index.ts';
import { type PageAnchor, shownAnchorIds } from '../../content/rendering/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { loadUser } from '../../people/users/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { filesIn } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

import { urlPathIn } from '../structure/index.ts';
import type { PageTree } from './page-tree.ts';
import { pathOfPage, placePath, type SiteView } from './site-view.ts';

/** The page that references belong to. */
export interface Origin {
  tree: PageTree;
  spaceId: string;
  /** The segments of the place that shows the space. */
  segments: readonly string[];
  /** Whether the URLs are those of Markdown, which are absolute, because agents read it without knowing its URL. */
  isMarkdown?: true;
}

export type WebTargets = Record<string, WebTarget>;

/** Names of users can change without the site: responses with their names are cached for this long. */
const NAMES_CACHE_MS = 60_000;

/** How long a response is cached that shows these references, as `SiteResponse.cacheMs`. */
export const cachedFor = (document: JSONDocument): { cacheMs?: number } =>
  referencesOf(document).some(({ ref }) => ref.kind === 'user') ? { cacheMs: NAMES_CACHE_MS } : {};

/** The targets of all references of a document, and of further ones, by their stable URL. */
export const documentTargets = (
  view: SiteView,
  origin: Origin,
  document: JSONDocument,
  further: readonly ContentRef[],
): Promise<WebTargets> => webTargets(view, origin, [...referencesOf(document).map(({ ref }) => ref), ...further]);

/**
 * The targets of references, with URLs below the site. References to other spaces point to their URLs on the site;
 * references to targets that the site does not show have no URL.
 */
export async function webTargets(view: SiteView, origin: Origin, refs: readonly ContentRef[]): Promise<WebTargets> {
  const unique = new Map(refs.map((ref) => [stableUrl(ref), ref]));
  const idOf = await anchorIdsOf(view, origin, [...unique.values()]);
  const entries = await Promise.all(
    [...unique].map(async ([key, ref]) => [key, await targetOf(view, origin, ref, idOf)] as const),
  );
  const files = await filesOf(view, origin, [...unique.values()]);
  const targets = entries.flatMap(([key, target]) => (target ? [[key, target] as const] : []));
  return Object.fromEntries([...targets, ...files]);
}

/** The id that a page shows for an anchor. Undefined if it has no such anchor. */
type IdOf = (anchor: PageAnchor) => string | undefined;

async function anchorIdsOf(view: SiteView, origin: Origin, refs: readonly ContentRef[]): Promise<IdOf> {
  const anchors = await Promise.all(
    refs.map(async (ref) => {
      if (ref.kind !== 'anchor' || ref.page === undefined) return [];
      const { page, revision, segments } = await pageOf(view, origin, { ...ref, page: ref.page });
      return page && revision && segments ? [{ page, revision, anchor: ref.anchor }] : [];
    }),
  );
  return shownAnchorIds(view.ctx, anchors.flat());
}

async function targetOf(view: SiteView, origin: Origin, ref: ContentRef, idOf: IdOf): Promise<WebTarget | undefined> {
  switch (ref.kind) {
    case 'page':
      return pageTarget(view, origin, ref);
    case 'anchor':
      return anchorTarget(view, origin, ref, idOf);
    case 'space':
      return spaceTarget(view, origin, ref.space);
    case 'user': {
      const user = await loadUser(view.ctx, ref.user);
      return user && { label: user.displayName };
    }
    default:
      return undefined;
  }
}

async function pageTarget(
  view: SiteView,
  origin: Origin,
  ref: PageName,
  fragment?: { anchor: string; idOf: IdOf },
): Promise<WebTarget | undefined> {
  const { page, revision, segments, isOwn } = await pageOf(view, origin, ref);
  if (!page || !revision) return undefined;
  if (!segments || page.path === null) return { label: page.title };
  const id = fragment && (fragment.idOf({ page, revision, anchor: fragment.anchor }) ?? fragment.anchor);
  const isHome = isOwn && origin.tree.home === page;
  const url = origin.isMarkdown
    ? `${view.url}${pathOfPage(segments, page.path)}.md`
    : `${view.base}${isHome ? placePath(segments) : pathOfPage(segments, page.path)}`;
  return { label: page.title, url: `${url}${id === undefined ? '' : fragmentOf(id)}` };
}

type PageName = Pick<RefOf<'page'>, 'page' | 'space'>;

/** A page with the segments of the place that shows it, which are absent if the site does not show it. */
async function pageOf(view: SiteView, { spaceId, tree, segments }: Origin, { page: pageId, space }: PageName) {
  if (space === undefined || space === spaceId)
    return { page: tree.byId.get(pageId), revision: tree.revision, segments, isOwn: true };
  const revision = await headOf(view, space);
  const page = revision && (await findReadPage(view.ctx, revision, { pageId }))?.page;
  return { page, revision, segments: segmentsIn(view, space), isOwn: false };
}

const fragmentOf = (anchor: string) => `#${encodeURIComponent(anchor)}`;

async function anchorTarget(view: SiteView, origin: Origin, { anchor, page, space }: RefOf<'anchor'>, idOf: IdOf) {
  const fragment = { anchor, idOf };
  if (page !== undefined) return pageTarget(view, origin, { page, ...(space !== undefined && { space }) }, fragment);
  if (space === undefined) return { label: anchor, url: fragmentOf(anchor) };
  const target = await spaceTarget(view, origin, space);
  return target && (target.url === undefined ? target : { ...target, url: `${target.url}${fragmentOf(anchor)}` });
}

async function spaceTarget(view: SiteView, { isMarkdown }: Origin, spaceId: string): Promise<WebTarget | undefined> {
  const segments = segmentsIn(view, spaceId);
  const space = await loadSpace(view.ctx, spaceId);
  return (
    space && {
      label: space.title,
      ...(segments && { url: `${isMarkdown ? view.url : view.base}${placePath(segments)}` }),
    }
  );
}

/** URL of a space on the site. */
function segmentsIn({ structure }: SiteView, spaceId: string): string[] | undefined {
  const siteSpace = structure.siteSpaces.find((row) => row.spaceId === spaceId);
  return siteSpace && urlPathIn(structure, siteSpace);
}

/** Files by their stable URL, with one statement for each space. */
async function filesOf(view: SiteView, origin: Origin, refs: readonly ContentRef[]) {
  const bySpace = Map.groupBy(
    refs.filter((ref) => ref.kind === 'file'),
    ({ space }) => space ?? origin.spaceId,
  );
  const perSpace = await Promise.all(
    [...bySpace].map(async ([spaceId, fileRefs]) => {
      const revision = spaceId === origin.spaceId ? origin.tree.revision : await headOf(view, spaceId);
      return revision ? targetsOfFiles(view, revision, fileRefs) : [];
    }),
  );
  return perSpace.flat();
}

async function headOf({ ctx }: SiteView, spaceId: string): Promise<RevisionRow | undefined> {
  const space = await loadSpace(ctx, spaceId);
  return space && loadRevision(ctx, space.revisionId);
}

async function targetsOfFiles({ ctx }: SiteView, revision: RevisionRow, refs: readonly RefOf<'file'>[]) {
  const files = await filesIn(ctx, revision, [...new Set(refs.map(({ file }) => file))]);
  return refs.flatMap((ref): [string, WebTarget][] => {
    const file = files.get(ref.file);
    if (!file) return [];
    const url = downloadUrl(ctx, file.organizationId, file.blob, file.name);
    const { width, height } = file;
    return [
      [stableUrl(ref), { label: file.name, url, ...(width != null && { width }), ...(height != null && { height }) }],
    ];
  });
}
