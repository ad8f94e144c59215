import { toLocalPath } from '../../../lib/local-path.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { findReadPage } from '../../content/computed-sources/index.ts';
import { downloadParts, downloadUrl, isDownload } from '../../content/files/index.ts';
import { selectedPdfLink } from '../../content/pdf/index.ts';
import { matchRedirect } from '../redirects/index.ts';
import { rootUrl, siteAddress } from '../sites/index.ts';
import { urlPathIn } from '../structure/index.ts';
import { type CachedResponse, cachedResponse, type SiteResponse, toCached } from './cache.ts';
import { responseCacheKey } from './cache-key.ts';
import { changesFeed } from './changes-feed.ts';
import type { ColorMode } from './color-mode.ts';
import type { FoundSite } from './find-site.ts';
import { siteIconResponse } from './icon.ts';
import { llmsFull, llmsTxt, markdownPage, PAGES_PER_PART, suggestions } from './markdown.ts';
import { absentSite, notFoundPage } from './not-found.ts';
import { type PageTree, pageTreeOf } from './page-tree.ts';
import { renderPage } from './render-page.ts';
import { robotsTxt } from './robots.ts';
import { searchPage, searchResults } from './search-page.ts';
import { pathOfPage, placePath, type SitePlace, type SiteView, sitePlaceAt, viewSite } from './site-view.ts';
import { sitemapIndex, sitemapPages } from './sitemaps.ts';
import { socialImage } from './social-image.ts';
import { stylesheetNamed } from './stylesheets.ts';

/** A request to a site. */
export interface SiteRequest {
  site: FoundSite;
  /** Path of the site, without a slash at the end. */
  base: string;
  /** The key of a share link, which `base` ends with. */
  shareKey: string | undefined;
  /** Identifies the visible content. */
  audience: string;
  /** Whether all visitors without claims see the same content. */
  isOpen: boolean;
  /** The decoded segments of the path below the site. */
  segments: readonly string[];
  query: Readonly<Record<string, string>>;
  /** The color mode that the visitor has chosen. */
  mode: ColorMode | undefined;
  /** Whether the client prefers Markdown to HTML. */
  wantsMarkdown: boolean;
}

/** The response to a request to a site, which the caller has admitted. */
export async function answerSite(ctx: Context, request: SiteRequest): Promise<CachedResponse> {
  const { site, segments, query, mode, wantsMarkdown } = request;
  const [, second] = segments[0] === '~gitbook' ? segments : [];
  const isPdf = segments.at(-2) === '~gitbook' && segments.at(-1) === 'pdf';
  if (second === 'image' && segments.length === 2) return toCached(siteImage(ctx, site, query));
  if (isPdf || (second === 'search' && segments.length === 2)) {
    return toCached(await answerUncached(await viewSite(ctx, site, request), segments, query));
  }
  const theme = second === 'icon' && query.theme === 'dark' ? 'dark' : '';
  return cachedResponse(ctx, responseCacheKey(request, [wantsMarkdown, theme, mode, ...segments]), async (workCtx) =>
    answer(await viewSite(workCtx, site, request), { ...request, query: { theme } }),
  );
}

/** The response in a preview, which is not kept. */
export async function answerPreview(
  view: SiteView,
  request: Pick<SiteRequest, 'segments' | 'query' | 'wantsMarkdown'>,
): Promise<SiteResponse> {
  const result = await answerUnkept(view, request);
  return { ...result, headers: { ...result.headers, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' } };
}

async function answerUnkept(
  view: SiteView,
  request: Pick<SiteRequest, 'segments' | 'query' | 'wantsMarkdown'>,
): Promise<SiteResponse | CachedResponse> {
  const { segments, query } = request;
  const [above, last = ''] = segments.slice(-2);
  if (above !== '~gitbook') return answer(view, request);
  if (last === 'image' && segments.length === 2) return siteImage(view.ctx, view.site, query);
  return ['pdf', 'search'].includes(last) ? answerUncached(view, segments, query) : answer(view, request);
}

const SEPARATE = new Set(['robots.txt', 'sitemap.xml', 'llms.txt', 'sitemap.md', 'llms-full.txt']);

async function answer(
  view: SiteView,
  { segments, query, wantsMarkdown }: Pick<SiteRequest, 'segments' | 'query' | 'wantsMarkdown'>,
): Promise<SiteResponse | CachedResponse> {
  const [first = '', second = '', third = ''] = segments;
  if (SEPARATE.has(first)) return answerFile(view, segments);
  if (first === '.well-known' && second === 'llms.txt') return answerFile(view, segments.slice(1));
  if (first === '~gitbook' && second === 'style') return stylesheetNamed(view, third);
  if (first === '~gitbook' && second === 'icon') {
    const place = await sitePlaceAt(view, []);
    return place ? siteIconResponse(view, place, query.theme) : absentSite();
  }
  if (segments.at(-3) === '~gitbook' && segments.at(-2) === 'ogimage') return answerImage(view, segments);
  return answerPage(view, segments, wantsMarkdown);
}

/** The image of a page that its visitor sees. */
async function answerImage(view: SiteView, segments: readonly string[]): Promise<SiteResponse> {
  const place = await sitePlaceAt(view, segments.slice(0, -3));
  const tree = place && (await pageTreeOf(view.ctx, place.space));
  const page = tree?.byId.get(segments.at(-1) ?? '');
  if (!place || place.located.rest.length > 0 || page?.kind !== 'document') return absentSite();
  return socialImage(view, place, page);
}

/** The number of a part of a file, or of a page in it. */
const PART = /^[1-9][0-9]{0,5}$/;

/** Files about the whole site, and those for agents, unless the site excludes agents. */
async function answerFile(view: SiteView, segments: readonly string[]): Promise<SiteResponse | CachedResponse> {
  const [name, part = '1', from = '1'] = segments;
  const { isForAgents } = view.site;
  const isAlone = segments.length === 1;
  if (name === 'robots.txt' && isAlone) return robotsTxt(view);
  if (name === 'sitemap.xml' && isAlone) return sitemapIndex(view);
  if ((name === 'llms.txt' || name === 'sitemap.md') && isAlone && isForAgents) return llmsTxt(view);
  const isPart = segments.length <= 3 && PART.test(part) && PART.test(from) && Number(from) <= PAGES_PER_PART;
  if (name === 'llms-full.txt' && isPart && isForAgents) {
    const siteResponse = await llmsFull(view, Number(part), Number(from));
    if (siteResponse) return siteResponse;
  }
  return answerPage(view, segments, false);
}

/** A page of a place, in one of its forms. */
async function answerPage(
  view: SiteView,
  segments: readonly string[],
  wantsMarkdown: boolean,
): Promise<SiteResponse | CachedResponse> {
  const { path, form } = formOf(segments, wantsMarkdown && view.site.isForAgents);
  const place = await sitePlaceAt(view, path);
  const tree = place && (await pageTreeOf(view.ctx, place.space));
  if (!place || !tree) return absentSite();
  const { rest } = place.located;
  if (form === 'sitemap' && rest.length === 0) return sitemapPages(view, place, tree);
  const pagePath = rest.join('/');
  const page = pagePath === '' ? tree.home : tree.at(pagePath);
  const document = page && shownPage(tree, page);
  const isHtml = form === 'html';
  if (!page || !document) return moved(view, segments, { place, tree, pagePath, form });
  if (isHtml && (document !== page || (document === tree.home && pagePath !== '')))
    return redirect(toLocalPath(pathOf(view, place, tree, document)));
  switch (form) {
    case 'html':
      return renderPage(view, place, tree, document);
    case 'markdown':
      return view.site.isForAgents
        ? markdownPage(view, { tree, page: document, segments: urlPathIn(view.structure, place.located.siteSpace) })
        : notFoundPage(view, place, tree);
    case 'feed':
      return changesFeed(view, place, tree, document);
    default:
      return notFoundPage(view, place, tree);
  }
}

type Form = 'html' | 'markdown' | 'feed' | 'sitemap';

/** The form that a path asks for by its end, and the path of the page. */
function formOf(segments: readonly string[], wantsMarkdown: boolean): { path: readonly string[]; form: Form } {
  const last = segments.at(-1) ?? '';
  if (last === 'rss.xml') return { path: segments.slice(0, -1), form: 'feed' };
  if (last === 'sitemap-pages.xml') return { path: segments.slice(0, -1), form: 'sitemap' };
  if (last.endsWith('.md') && last.length > 3)
    return { path: [...segments.slice(0, -1), last.slice(0, -3)], form: 'markdown' };
  return { path: segments, form: wantsMarkdown ? 'markdown' : 'html' };
}

/** Document pages are shown themselves, groups by their first page. */
function shownPage(tree: PageTree, page: LoadedPage): LoadedPage | undefined {
  if (page.kind === 'document') return page;
  for (const below of tree.listedBelow(page.pageId)) {
    const document = shownPage(tree, below);
    if (document) return document;
  }
  return undefined;
}

/**
 * The response for paths without a page: a redirect from a former path of a page or of the site, suggestions for
 * agents, or the page that says so.
 */
async function moved(
  view: SiteView,
  segments: readonly string[],
  { place, tree, pagePath, form }: { place: SitePlace; tree: PageTree; pagePath: string; form: Form },
): Promise<SiteResponse | CachedResponse> {
  const former = pagePath === '' ? undefined : await findReadPage(view.ctx, tree.revision, { path: pagePath });
  const page = former && tree.byId.get(former.page.pageId);
  if (page?.kind === 'document') {
    const suffix = { html: '', markdown: '.md', feed: '/rss.xml', sitemap: '' }[form];
    const path = suffix === '' ? pathOf(view, place, tree, page) : `${filesOf(view, place, page)}${suffix}`;
    return redirect(toLocalPath(path));
  }
  const elsewhere = await redirected(view, segments);
  if (elsewhere) return elsewhere;
  if (form === 'markdown' && view.site.isForAgents) return suggestions(view, pagePath.split('/'));
  return notFoundPage(view, place, tree);
}

/**
 * The site's redirect for a path. Targets within the site get the requested base path, with the key of a share link.
 */
async function redirected(view: SiteView, segments: readonly string[]): Promise<SiteResponse | undefined> {
  const source = `/${segments.map(encodeURIComponent).join('/')}`;
  const match = await matchRedirect(view.ctx, view.site.id, source);
  if (!match) return undefined;
  const { target, redirect: stored } = match;
  const address = await siteAddress(view.ctx, view.site.id);
  // External destinations can be URLs of the site too, which are stored without the key.
  const siteUrl = address && [rootUrl(address), address.url].find((url) => target.startsWith(`${url}/`));
  const location = siteUrl === undefined ? target : toLocalPath(`${view.base}${target.slice(siteUrl.length)}`);
  return redirect(location, stored.isPermanent ? 308 : 307);
}

const filesOf = (view: SiteView, { located }: SitePlace, page: LoadedPage) =>
  `${view.base}${pathOfPage(urlPathIn(view.structure, located.siteSpace), page.path ?? '')}`;

const pathOf = (view: SiteView, place: SitePlace, tree: PageTree, page: LoadedPage): string =>
  tree.home === page
    ? `${view.base}${placePath(urlPathIn(view.structure, place.located.siteSpace))}`
    : filesOf(view, place, page);

/** Only redirects that the site declares permanent get 308; all others can change with the content. */
const redirect = (location: string, status: 307 | 308 = 307): SiteResponse => ({
  status,
  headers: { location, 'cache-control': 'no-cache' },
  body: '',
});

/** Search results and PDFs, which depend on more than the content. */
async function answerUncached(
  view: SiteView,
  segments: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<SiteResponse | CachedResponse> {
  const isPdf = segments.at(-1) === 'pdf' && segments.at(-2) === '~gitbook';
  const place = await sitePlaceAt(view, isPdf ? segments.slice(0, -2) : []);
  const tree = place && (await pageTreeOf(view.ctx, place.space));
  if (!place || !tree) return absentSite();
  if (!isPdf) return (query.part === 'results' ? searchResults : searchPage)(view, place, tree, query.q ?? '');
  const page = query.page === undefined ? undefined : tree.byId.get(query.page);
  const isAbsent = query.page !== undefined && !page;
  if (!place.look.pdf.enabled || place.located.rest.length > 0 || isAbsent) return notFoundPage(view, place, tree);
  // The content that is shown, which in a preview can be that of a change request or an earlier revision.
  const { id: spaceId, revisionId } = place.space;
  const selection = { pageId: page?.pageId, only: page !== undefined && query.only === 'yes' };
  const { url } = await selectedPdfLink(view.ctx, { spaceId, revisionId }, selection);
  return { status: 307, headers: { location: url, 'cache-control': 'no-store' }, body: '' };
}

/**
 * `~gitbook/image?url=…`, where renderers have images resized. Stemma has the original only: it redirects to the file
 * of the organization that `url` downloads, and ignores `width`, `dpr`, `quality` and `sign`. It fetches nothing, so
 * that no other URL leads anywhere.
 */
function siteImage(ctx: Context, site: FoundSite, { url = '' }: Readonly<Record<string, string>>): SiteResponse {
  const parts = downloadParts(ctx, url);
  if (parts?.organizationId !== site.organizationId || !isDownload(ctx, parts)) return absentSite();
  const location = downloadUrl(ctx, parts.organizationId, parts.blob, parts.name);
  return { status: 307, headers: { location, 'cache-control': 'max-age=3600' }, body: '' };
}
