import { type Html, type HtmlValue, html } from '../../../lib/document-html/html.ts';
import { searchedOnSite } from '../site-search/index.ts';
import { urlPathIn } from '../structure/index.ts';
import type { SiteResponse } from './cache.ts';
import { directionOfTitle, interfaceAttributes, type PageFrame, readPageFrame } from './frame.ts';
import { searchHtml } from './header.ts';
import { navigationHtml } from './navigation.ts';
import type { PageTree } from './page-tree.ts';
import { shellResponse } from './shell.ts';
import { pathOfPage, type SitePlace, type SiteView } from './site-view.ts';

const MAX_SPACES = 20;
const MAX_QUERY = 256;
/** Pages that are suggested while visitors type. */
const MAX_SUGGESTED = 8;

type FoundSpace = Awaited<ReturnType<typeof searchSite>>[number];

/** The spaces of the site with the pages that match, best first. */
export async function searchSite(view: SiteView, text: string) {
  const list = searchedOnSite(view.ctx, view.site, { query: text });
  return (await list.page({ direction: 'forward', size: MAX_SPACES })).rows;
}

/** The page with the results of a search in all spaces of the site. */
export async function searchPage(
  view: SiteView,
  place: SitePlace,
  tree: PageTree,
  text: string,
): Promise<SiteResponse> {
  const query = text.slice(0, MAX_QUERY).trim();
  const frame = await readPageFrame(view, place, tree);
  const spaces = query === '' ? [] : await searchSite(view, query);
  const { words } = place;
  const results = resultsHtml(frame, spaces);
  const main = html`<header><h1${interfaceAttributes(frame)}>${words.search}</h1>${searchHtml(frame, query, words.results)}</header>
${query !== '' && results}`;
  const response = shellResponse(frame, {
    title: query === '' ? words.search : `${query} – ${words.search}`,
    isIndexed: false,
    query,
    navigation: navigationHtml(frame, tree, undefined),
    main,
  });
  return { ...response, isSearch: true, headers: { ...response.headers, 'cache-control': 'private, no-store' } };
}

/** Only the results, which the script of pages shows while visitors type. They are not counted as searches. */
export async function searchResults(
  view: SiteView,
  place: SitePlace,
  tree: PageTree,
  text: string,
): Promise<SiteResponse> {
  const query = text.slice(0, MAX_QUERY).trim();
  const [frame, spaces] = await Promise.all([
    readPageFrame(view, place, tree),
    query === '' ? [] : searchSite(view, query),
  ]);
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      // Pages have no origin. Without credentials, anyone can send the same request.
      'access-control-allow-origin': '*',
      'cache-control': 'private, no-store',
    },
    body: resultsHtml(frame, spaces, MAX_SUGGESTED).source,
  };
}

function resultsHtml(frame: PageFrame, spaces: readonly FoundSpace[], most = Number.POSITIVE_INFINITY): Html {
  const { words } = frame.place;
  const results = spaces.flatMap((space) => space.pages.map((page) => [space, page] as const)).slice(0, most);
  if (results.length === 0) return html`<p role="status"${interfaceAttributes(frame)}>${words.noResults}</p>`;
  return html`<ul class="results" aria-label="${words.results}">${results.map(([space, page]) => pageHtml(frame, space, page))}</ul>`;
}

function pageHtml(frame: PageFrame, space: FoundSpace, page: FoundSpace['pages'][number]): HtmlValue {
  const { view } = frame;
  const siteSpace = view.structure.siteSpaces.find(({ spaceId }) => spaceId === space.id);
  if (!siteSpace) return undefined;
  const url = `${view.base}${pathOfPage(urlPathIn(view.structure, siteSpace), page.path)}`;
  const isSeveral = view.structure.siteSpaces.length > 1;
  const where = [...(isSeveral ? [space.title] : []), ...page.ancestors].join(' / ');
  const sections = page.sections.map(({ anchor, title, excerpt }) => {
    const text = excerpt.map((part) => (part.isMatch ? html`<mark>${part.text}</mark>` : html`${part.text}`));
    const heading = anchor !== null && title && html`<a href="${url}#${encodeURIComponent(anchor)}">${title}</a>`;
    return html`<li>${heading}<p dir="auto">${text}</p></li>`;
  });
  return html`<li>${where !== '' && html`<p class="where">${where}</p>`}<h2${directionOfTitle(frame, page.title)}><a href="${url}">${page.title}</a></h2>${page.description && html`<p>${page.description}</p>`}${sections.length > 0 && html`<ul>${sections}</ul>`}</li>`;
}
