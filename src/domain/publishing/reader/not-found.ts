import { createHash } from 'node:crypto';
import { Html, html } from '../../../lib/document-html/html.ts';
import { type CachedResponse, cachedFragment, type SiteResponse } from './cache.ts';
import { fragmentCacheKey } from './cache-key.ts';
import { interfaceAttributes, readPageFrame } from './frame.ts';
import { searchHtml } from './header.ts';
import { navigationHtml } from './navigation.ts';
import type { PageTree } from './page-tree.ts';
import { shellResponse } from './shell.ts';
import type { SitePlace, SiteView } from './site-view.ts';

const SECOND_MS = 1_000;

/** The page for paths of a site that lead nowhere: one for all paths of a place, so that it is printed once. */
export const notFoundPage = (view: SiteView, place: SitePlace, tree: PageTree): Promise<CachedResponse> =>
  cachedFragment(view.ctx, fragmentCacheKey(view, ['not found', place.located.siteSpace.id]), (ctx) =>
    printNotFound({ ...view, ctx }, place, tree),
  );

async function printNotFound(view: SiteView, place: SitePlace, tree: PageTree): Promise<SiteResponse> {
  const frame = await readPageFrame(view, place, tree);
  const { words } = place;
  const main = html`<header${interfaceAttributes(frame)}><h1>${words.notFound}</h1><p class="lead">${words.notFoundHint}</p></header>
${searchHtml(frame, '', words.results)}
<p${interfaceAttributes(frame)}><a class="button" href="${view.base}/">${words.home}</a></p>`;
  const navigation = navigationHtml(frame, tree, undefined);
  const response = shellResponse(frame, { title: words.notFound, isIndexed: false, navigation, main }, 404);
  return { ...response, cacheMs: 600 * SECOND_MS };
}

/** Of the page without a site, which has no stylesheet of a site. */
const STYLE = new Html(`
:root { color-scheme: light dark; }
body { max-width: 40rem; margin: 20vh auto 0; padding: 0 1.5rem; font: 1rem/1.6 system-ui, "Segoe UI", sans-serif; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; }
`);

const ABSENT = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>There is no published site at this address.</p>
</main>
</body>
</html>
`.source;

const ABSENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE.source).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page for addresses without a site, and for sites that are not shown to the visitor: the same for both. */
export const absentSite = (): SiteResponse => ({
  status: 404,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': ABSENT_POLICY,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  },
  body: ABSENT,
});
