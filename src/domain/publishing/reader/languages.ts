import { type Html, html } from '../../../lib/document-html/html.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { findReadPage } from '../../content/computed-sources/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { type SiteSpaceRow, urlPathIn } from '../structure/index.ts';
import { type PageTree, pageTreeOf } from './page-tree.ts';
import type { PlaceLanguage } from './place-languages.ts';
import { pathOfPage, placePath, type SitePlace, type SiteView } from './site-view.ts';

/** Paths of a page below the site, in the other languages of its place, by the id of the site space. */
export type LanguageVersions = ReadonlyMap<string, string>;

/**
 * The versions of a page in the other languages of its place, without hidden pages and languages that lack the page.
 */
export async function languageVersions(
  view: SiteView,
  place: SitePlace,
  tree: PageTree,
  page: LoadedPage,
): Promise<LanguageVersions> {
  const ownId = place.located.siteSpace.id;
  const others = place.languages.filter(({ siteSpace }) => siteSpace.id !== ownId);
  if (others.length === 0) return new Map();
  if (tree.home === page) {
    const trees = await Promise.all(others.map((other) => treeOf(view, other)));
    return new Map(
      others.flatMap(({ siteSpace }, index) => {
        const path = trees[index] && listedPagePath(view, siteSpace, trees[index], page.pageId);
        return path === undefined ? [] : [[siteSpace.id, path] as const];
      }),
    );
  }
  const paths = await Promise.all(others.map((other) => pathOfVersion(view, other, page.pageId)));
  return new Map(
    others.flatMap(({ siteSpace }, index) => {
      const path = paths[index];
      return path === undefined ? [] : [[siteSpace.id, path] as const];
    }),
  );
}

/** The path below the site of a listed page in a language. Undefined if the visitor does not see it there. */
async function pathOfVersion(
  view: SiteView,
  { siteSpace }: PlaceLanguage,
  pageId: string,
): Promise<string | undefined> {
  const space = await loadSpace(view.ctx, siteSpace.spaceId);
  const revision = space && (await loadRevision(view.ctx, space.revisionId));
  const page = revision && (await findReadPage(view.ctx, revision, { pageId }))?.page;
  if (!page || page.hidden || page.kind !== 'document' || page.path === null) return undefined;
  return pathOfPage(urlPathIn(view.structure, siteSpace), page.path);
}

/** The trees of the languages of a place. */
export async function treesOf(view: SiteView, { languages }: SitePlace): Promise<[PlaceLanguage, PageTree][]> {
  const trees = await Promise.all(languages.map((language) => treeOf(view, language)));
  return languages.flatMap((language, index): [PlaceLanguage, PageTree][] => {
    const tree = trees[index];
    return tree ? [[language, tree]] : [];
  });
}

async function treeOf({ ctx }: SiteView, { siteSpace }: PlaceLanguage): Promise<PageTree | undefined> {
  const space = await loadSpace(ctx, siteSpace.spaceId);
  return space ? pageTreeOf(ctx, space) : undefined;
}

/** The path of a listed page below the site. Undefined if the tree does not list it. */
export function listedPagePath(
  { structure }: SiteView,
  siteSpace: SiteSpaceRow,
  tree: PageTree,
  pageId: string,
): string | undefined {
  const page = tree.byId.get(pageId);
  if (!page || page.hidden || page.kind !== 'document') return undefined;
  const segments = urlPathIn(structure, siteSpace);
  return tree.home === page ? placePath(segments) : pathOfPage(segments, page.path ?? '');
}

/** An address of the same page in a language, or the one for all others. */
export interface Alternate {
  hreflang: string;
  url: string;
}

/** The addresses of a page in all its languages; `x-default` is that of the source. Empty if it has one language. */
export function alternatesOf(
  { url }: SiteView,
  languages: readonly PlaceLanguage[],
  paths: LanguageVersions,
): Alternate[] {
  const all = languages.flatMap(({ siteSpace, language, isSource }): (Alternate & { isSource: boolean })[] => {
    const path = paths.get(siteSpace.id);
    return path === undefined ? [] : [{ hreflang: language, url: `${url}${path}`, isSource }];
  });
  if (all.length < 2) return [];
  const fallback = all.find(({ isSource }) => isSource);
  return [...all, ...(fallback ? [{ ...fallback, hreflang: 'x-default' }] : [])];
}

/** Elements of the head of a page. */
export const alternateLinks = (alternates: readonly Alternate[]): Html[] =>
  alternates.map(({ hreflang, url }) => html`<link rel="alternate" hreflang="${hreflang}" href="${url}">`);
