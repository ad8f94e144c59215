import { html } from '../../../lib/document-html/html.ts';
import { urlPathIn } from '../structure/index.ts';
import type { SiteResponse } from './cache.ts';
import { alternatesOf, listedPagePath, treesOf } from './languages.ts';
import type { PageTree } from './page-tree.ts';
import { isHiddenFromRobots } from './render-page.ts';
import { pathOfPage, placePath, type SitePlace, type SiteView } from './site-view.ts';

const XML_TYPE = { 'content-type': 'application/xml; charset=utf-8' };
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The index of the sitemaps of all places (sitemaps.org, "Using Sitemap index files"). */
export function sitemapIndex({ structure, url }: SiteView): SiteResponse {
  const entries = structure.siteSpaces.map(
    (siteSpace) =>
      html`<sitemap><loc>${url}${placePath(urlPathIn(structure, siteSpace))}sitemap-pages.xml</loc></sitemap>\n`,
  );
  const body = html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="${NAMESPACE}">
${entries}</sitemapindex>
`;
  return { status: 200, headers: XML_TYPE, body: body.source };
}

/** Number of URLs that a sitemap may have. */
const MAX_URLS = 50_000;

/** The pages of a place that search engines can index, with the time when each was changed. */
export async function sitemapPages(view: SiteView, place: SitePlace, tree: PageTree): Promise<SiteResponse> {
  const { located, languages } = place;
  const trees = await treesOf(view, place);
  const segments = urlPathIn(view.structure, located.siteSpace);
  const pages = tree.documents.filter((page) => !isHiddenFromRobots(page)).slice(0, MAX_URLS);
  const languagesHtml = (pageId: string) => {
    const paths = trees.flatMap(([{ siteSpace }, languageTree]) => {
      const path = listedPagePath(view, siteSpace, languageTree, pageId);
      return path === undefined ? [] : [[siteSpace.id, path] as const];
    });
    return alternatesOf(view, languages, new Map(paths)).map(
      ({ hreflang, url }) => html`<xhtml:link rel="alternate" hreflang="${hreflang}" href="${url}"/>`,
    );
  };
  const entries = pages.map((page) => {
    const path = tree.home === page ? placePath(segments) : pathOfPage(segments, page.path ?? '');
    return html`<url><loc>${view.url}${path}</loc><lastmod>${new Date(page.node.updatedAt).toISOString()}</lastmod>${languagesHtml(page.pageId)}</url>\n`;
  });
  const body = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="${NAMESPACE}"${languages.length > 0 && html` xmlns:xhtml="http://www.w3.org/1999/xhtml"`}>
${entries}</urlset>
`;
  return { status: 200, headers: XML_TYPE, body: body.source };
}
