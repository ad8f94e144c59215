import type { ContentRef, RefOf } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { referencesOf } from '../../../lib/document/references.ts';
import { stableUrl } from '../../../lib/document/stable-url.ts';
import type { WebTarget } from '../../../lib/document-html/printing.ts';
import type { Context } from '../../../platform/context/context.ts';
import { downloadUrl } from '../../content/files/index.ts';
import {
  headOf,
  type PageAnchor,
  type PageInRevision,
  referencedPages,
  shownAnchorIds,
} from '../../content/rendering/index.ts';
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
  const pageOf = await pagesOf(view, origin, [...unique.values()]);
  const idOf = await anchorIdsOf(view.ctx, [...unique.values()], pageOf);
  const entries = await Promise.all(
    [...unique].map(async ([key, ref]) => [key, await targetOf(view, origin, ref, { pageOf, idOf })] as const),
  );
  const files = await filesOf(view, origin, [...unique.values()]);
  const targets = entries.flatMap(([key, target]) => (target ? [[key, target] as const] : []));
  return Object.fromEntries([...targets, ...files]);
}

/** What a document refers to, which is read for all its references together. */
interface Referenced {
  pageOf: PageOf;
  idOf: IdOf;
}

/** A page with the segments of the place that shows it, which are absent if the site does not show it. */
interface ReferencedPage extends PageInRevision {
  segments: readonly string[] | undefined;
}

type PageOf = (name: PageName) => ReferencedPage | undefined;

/** The id that a page shows for an anchor. Undefined if it has no such anchor. */
type IdOf = (anchor: PageAnchor) => string | undefined;

type PageName = Pick<RefOf<'page'>, 'page' | 'space'>;

/** The page that a reference leads to, if it leads to one. */
const pageNameOf = (ref: ContentRef): PageName | undefined =>
  (ref.kind === 'page' || ref.kind === 'anchor') && ref.page !== undefined ? { ...ref, page: ref.page } : undefined;

/**
 * The pages of all references: those of the same space from its tree, and those of other spaces with one read for each.
 */
async function pagesOf(
  view: SiteView,
  { spaceId, tree, segments }: Origin,
  refs: readonly ContentRef[],
): Promise<PageOf> {
  const isOwn = ({ space }: PageName) => space === undefined || space === spaceId;
  const elsewhere = refs.flatMap((ref) => pageNameOf(ref) ?? []).filter((name) => !isOwn(name));
  const pageElsewhere = await referencedPages(view.ctx, tree.revision, elsewhere);
  return (name) => {
    const own = isOwn(name) ? tree.byId.get(name.page) : undefined;
    if (own) return { page: own, revision: tree.revision, segments };
    const page = isOwn(name) ? undefined : pageElsewhere(name);
    return page && { ...page, segments: segmentsIn(view, name.space ?? spaceId) };
  };
}

async function anchorIdsOf(ctx: Context, refs: readonly ContentRef[], pageOf: PageOf): Promise<IdOf> {
  const anchors = refs.flatMap((ref): PageAnchor[] => {
    if (ref.kind !== 'anchor' || ref.page === undefined) return [];
    const page = pageOf({ ...ref, page: ref.page });
    return page?.segments ? [{ ...page, anchor: ref.anchor }] : [];
  });
  return shownAnchorIds(ctx, anchors);
}

async function targetOf(
  view: SiteView,
  origin: Origin,
  ref: ContentRef,
  referenced: Referenced,
): Promise<WebTarget | undefined> {
  switch (ref.kind) {
    case 'page':
      return pageTarget(view, origin, ref, referenced);
    case 'anchor':
      return anchorTarget(view, origin, ref, referenced);
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

/** The target of a page, or of an anchor on it. */
function pageTarget(
  view: SiteView,
  origin: Origin,
  name: PageName & { anchor?: string },
  { pageOf, idOf }: Referenced,
): WebTarget | undefined {
  const found = pageOf(name);
  if (!found) return undefined;
  const { page, revision, segments } = found;
  if (!segments || page.path === null) return { label: page.title };
  const { anchor } = name;
  const id = anchor === undefined ? undefined : (idOf({ page, revision, anchor }) ?? anchor);
  const isHome = origin.tree.home === page;
  const url = origin.isMarkdown
    ? `${view.url}${pathOfPage(segments, page.path)}.md`
    : `${view.base}${isHome ? placePath(segments) : pathOfPage(segments, page.path)}`;
  return { label: page.title, url: `${url}${id === undefined ? '' : fragmentOf(id)}` };
}

const fragmentOf = (anchor: string) => `#${encodeURIComponent(anchor)}`;

async function anchorTarget(view: SiteView, origin: Origin, ref: RefOf<'anchor'>, referenced: Referenced) {
  const { anchor, page, space } = ref;
  if (page !== undefined) return pageTarget(view, origin, { ...ref, page }, referenced);
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
      const revision = spaceId === origin.spaceId ? origin.tree.revision : await headOf(view.ctx, spaceId);
      return revision ? targetsOfFiles(view, revision, fileRefs) : [];
    }),
  );
  return perSpace.flat();
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
