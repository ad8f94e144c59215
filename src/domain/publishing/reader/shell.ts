import { type Html, html } from '../../../lib/document-html/html.ts';
import type { SiteResponse } from './cache.ts';
import { footerHtml } from './footer.ts';
import { interfaceAttributes, modeOf, type PageFrame } from './frame.ts';
import { announcementHtml, headerHtml, sectionsHtml } from './header.ts';
import { type Alternate, alternateLinks } from './languages.ts';
import { sitePagePolicy } from './page-policy.ts';
import { SCRIPT_ELEMENT } from './page-script.ts';
import { stylesheetOf } from './stylesheet.ts';

/** The parts of a page that differ from page to page. */
export interface ShellPage {
  /** Of the window. The title of the site is added. */
  title?: string;
  description?: string;
  /** The canonical URL. Absent for pages that have none, such as search results. */
  canonical?: string;
  /** Whether search engines can index the page. */
  isIndexed: boolean;
  /** URL of the image that other websites show for the page, unless the appearance has one. */
  image?: string;
  /** URL of the Markdown of the page. */
  markdownUrl?: string;
  feedUrl?: string;
  alternates?: readonly string[];
  /** The page in other languages, and in its own. */
  languages?: readonly Alternate[];
  /** The query, on the page of search results. */
  query?: string;
  /** The page tree. */
  navigation: Html;
  /** The element `main`. */
  main: Html;
  outline?: Html;
}

const stylesheetPath = ({ view, place }: PageFrame) =>
  `${view.base}/~gitbook/style/${stylesheetOf(place.look).hash}.css`;

/** A whole page, with the policy that it is sent with. */
export const shellResponse = (frame: PageFrame, page: ShellPage, status = 200): SiteResponse => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': sitePagePolicy(frame),
    ...(frame.view.site.visibility !== 'public' && { 'x-robots-tag': 'noindex' }),
  },
  body: shellHtml(frame, page),
});

function shellHtml(frame: PageFrame, page: ShellPage): string {
  const { look, words } = frame.place;
  const { place } = frame;
  const isFilled = look.styling.sidebar.background === 'filled';
  return html`<!doctype html>
<html lang="${frame.content.language ?? words.language}"${frame.content.direction === 'rtl' && html` dir="rtl"`} data-mode="${modeOf(place)}">
${headHtml(frame, page)}
<body class="${isFilled && 'filled '}list-${look.styling.sidebar.list}" data-copy="${words.copy}" data-copied="${words.copied}">
<a class="skip" href="#content"${interfaceAttributes(frame)}>${words.skip}</a>
${announcementHtml(frame)}
<div class="top">${headerHtml(frame, page.query)}${sectionsHtml(frame)}</div>
<div class="columns-of-page${page.outline === undefined && ' wide'}">
<nav id="pages" popover aria-label="${words.pages}">${page.navigation}</nav>
<main id="content">${page.main}</main>
${page.outline}
</div>
${footerHtml(frame)}
${SCRIPT_ELEMENT}
</body>
</html>
`.source;
}

function headHtml(frame: PageFrame, page: ShellPage): Html {
  const { view, place } = frame;
  const siteTitle = place.look.title ?? view.site.title;
  const title = page.title === undefined || page.title === siteTitle ? siteTitle : `${page.title} | ${siteTitle}`;
  const preview = place.look.socialPreview.url ?? page.image;
  const isIndexed = page.isIndexed && view.site.visibility === 'public';
  const meta = (property: string, content: string | undefined) =>
    content !== undefined && content !== '' && html`<meta property="${property}" content="${content}">`;
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${page.description && html`<meta name="description" content="${page.description}">`}
${!isIndexed && html`<meta name="robots" content="noindex">`}
${page.canonical !== undefined && html`<link rel="canonical" href="${page.canonical}">`}
${(page.alternates ?? []).map((url) => html`<link rel="alternate" href="${url}">`)}
${alternateLinks(page.languages ?? [])}
${page.markdownUrl !== undefined && html`<link rel="alternate" type="text/markdown" href="${page.markdownUrl}">`}
${page.feedUrl !== undefined && html`<link rel="alternate" type="application/rss+xml" href="${page.feedUrl}">`}
${meta('og:title', page.title ?? siteTitle)}${meta('og:description', page.description)}${meta('og:url', page.canonical)}${meta('og:site_name', siteTitle)}${meta('og:type', 'article')}${meta('og:locale', (frame.content.language ?? place.words.language).replace('-', '_'))}${meta('og:image', preview)}
<meta name="twitter:card" content="${preview === undefined ? 'summary' : 'summary_large_image'}">
<link rel="icon" href="${view.base}/~gitbook/icon">
<link rel="stylesheet" href="${stylesheetPath(frame)}">
</head>`;
}
