import type { JSONDocument } from '../../../lib/document/document.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { trimOf } from '../../../lib/trim-characters.ts';
import type { OutlineEntry } from '../../../lib/web/document-html.ts';
import { Html, type HtmlValue, html } from '../../../lib/web/html.ts';
import { followedUrl } from '../../../lib/web/printing.ts';
import { bodyOf, layoutOf, viewOf } from '../../content/pages/index.ts';
import { showBody } from '../../content/rendering/index.ts';
import type { SiteAnswer } from './cache.ts';
import { type Frame, frameOf, modeOf } from './frame.ts';
import { navigationHtml, pathIn, segmentsOf } from './navigation.ts';
import { type PageTree, shortTitle } from './page-tree.ts';
import { printBody } from './print-body.ts';
import { shellAnswer } from './shell.ts';
import { type Place, pathOfPage, placePath, type SiteView } from './site-view.ts';
import { type Targets, targetsIn } from './targets.ts';

/** The body of a page as visitors see it. */
export const shownBody = ({ ctx }: SiteView, tree: PageTree, page: LoadedPage): Promise<JSONDocument> =>
  showBody(ctx, bodyOf(viewOf(page, tree.revision)), { evaluated: 'true', dereferenced: 'true' });

/** A page of a place as HTML. */
export async function showPage(view: SiteView, place: Place, tree: PageTree, page: LoadedPage): Promise<SiteAnswer> {
  const [frame, document] = await Promise.all([frameOf(view, place, tree), shownBody(view, tree, page)]);
  const targets = await targetsIn(view, { tree, spaceId: place.space.id, segments: segmentsOf(frame) }, document);
  const { html: body, outline } = await printBody(view.ctx, view.site.organizationId, {
    document,
    source: sourceOf(frame, targets),
  });
  const layout = layoutOf(page.node.kind === 'document' ? page.node.fields.layout : undefined);
  const canonical = `${view.url}${pathIn(frame, tree, page).slice(view.base.length)}`;
  const description = page.node.kind === 'document' ? page.node.fields.description : undefined;
  const files = `${view.base}${pathOfPage(segmentsOf(frame), page.path ?? '')}`;
  return shellAnswer(frame, {
    title: page.title,
    ...(description && { description }),
    canonical: canonicalOf(frame, page) ?? canonical,
    isIndexed: !isHiddenFromRobots(page),
    ...(view.site.isForAgents && place.look.pageActions.markdown && { markdownUrl: `${files}.md` }),
    feedUrl: `${files}/rss.xml`,
    alternates: alternatesOf(frame, page),
    navigation: layout.tableOfContents ? navigationHtml(frame, tree, page) : html``,
    main: mainHtml({ frame, tree, page, files }, new Html(body)),
    ...(layout.outline && outline.length > 1 && { outline: outlineHtml(frame, outline) }),
    isWide: layout.width === 'wide',
  });
}

export const isHiddenFromRobots = ({ hidden, node }: LoadedPage): boolean =>
  hidden || (node.kind === 'document' && (node.fields.noIndex === true || node.fields.noRobotsIndex === true));

const sourceOf = ({ view, place }: Frame, targets: Targets) => {
  const mode = modeOf(place);
  const { linkTo, done, open, info, success, warning, danger } = place.words;
  return {
    targets,
    words: { linkTo, done, open, info, success, warning, danger },
    siteUrl: view.base,
    opensNewWindow: place.look.externalLinks.target === 'blank',
    ...(mode !== 'auto' && { mode }),
  };
};

/** The canonical URL that the page itself names, if that is a URL. */
function canonicalOf(frame: Frame, { node }: LoadedPage): string | undefined {
  const links = node.kind === 'document' ? (node.fields.metaLinks as MetaLinks | undefined) : undefined; // as stored
  return links?.canonical && urlOfMeta(frame, links.canonical);
}

interface MetaLinks {
  canonical?: MetaLink;
  alternates?: MetaLink[];
}
type MetaLink = { kind: string; url?: string };

function alternatesOf(frame: Frame, { node }: LoadedPage): string[] {
  const links = node.kind === 'document' ? (node.fields.metaLinks as MetaLinks | undefined) : undefined; // as stored
  return (links?.alternates ?? []).flatMap((link) => urlOfMeta(frame, link) ?? []);
}

const urlOfMeta = ({ view }: Frame, { kind, url }: MetaLink): string | undefined =>
  kind === 'url' && url !== undefined ? followedUrl({ siteUrl: view.url }, url) : undefined;

interface Shown {
  frame: Frame;
  tree: PageTree;
  page: LoadedPage;
  /** Path that the other forms of the page begin with. */
  files: string;
}

function mainHtml({ frame, tree, page, files }: Shown, body: Html): Html {
  const { place } = frame;
  const fields = page.node.kind === 'document' ? page.node.fields : undefined;
  const layout = layoutOf(fields?.layout);
  return html`<article>
<header>
${breadcrumbs(frame, tree, page)}
${layout.title && html`<h1>${page.title}</h1>`}
${!layout.title && html`<h1 class="hidden">${page.title}</h1>`}
${layout.description && fields?.description && html`<p class="lead">${fields.description}</p>`}
${layout.actions && actionsHtml({ frame, tree, page, files })}
</header>
<div class="body">${body}</div>
${layout.pagination && place.look.pagination.enabled && turnHtml(frame, tree, page)}
${layout.metadata && html`<p class="updated">${place.words.updated}: <time datetime="${page.node.updatedAt}">${dateOf(page.node.updatedAt, place.words.language)}</time></p>`}
</article>`;
}

const dateOf = (time: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

/** The groups and pages above a page. */
function breadcrumbs(frame: Frame, tree: PageTree, page: LoadedPage): HtmlValue {
  const above = tree.wayTo(page).slice(0, -1);
  if (above.length === 0) return undefined;
  const items = above.map((each) =>
    each.kind === 'document'
      ? html`<li><a href="${pathIn(frame, tree, each)}">${shortTitle(each)}</a></li>`
      : html`<li>${shortTitle(each)}</li>`,
  );
  return html`<nav class="breadcrumbs" aria-label="${frame.place.words.breadcrumbs}"><ol>${items}</ol></nav>`;
}

function actionsHtml({ frame, page, files }: Shown): HtmlValue {
  const { view, place } = frame;
  const { look, words } = place;
  const markdown =
    look.pageActions.markdown && view.site.isForAgents && html`<a href="${files}.md">${words.asMarkdown}</a>`;
  const space = trimOf(placePath(segmentsOf(frame)), '/');
  const pdf =
    look.pdf.enabled &&
    html`<a href="${view.base}/${space === '' ? '' : `${space}/`}~gitbook/pdf?page=${page.pageId}&only=yes" rel="nofollow">${words.asPdf}</a>`;
  return (markdown || pdf) && html`<p class="actions">${markdown}${pdf}</p>`;
}

/** The previous and the next page in reading order. */
function turnHtml(frame: Frame, tree: PageTree, page: LoadedPage): HtmlValue {
  const { words } = frame.place;
  const [before, after] = [tree.neighbor(page, -1), tree.neighbor(page, 1)];
  if (!before && !after) return undefined;
  const link = (to: LoadedPage, rel: 'prev' | 'next', label: string) =>
    html`<a class="${rel}" rel="${rel}" href="${pathIn(frame, tree, to)}"><small>${label}</small>${shortTitle(to)}</a>`;
  return html`<nav class="turn" aria-label="${words.previous} / ${words.next}">${before && link(before, 'prev', words.previous)}${after && link(after, 'next', words.next)}</nav>`;
}

function outlineHtml({ place: { words } }: Frame, outline: readonly OutlineEntry[]): Html {
  const items = outline.map(
    ({ anchor, title, level }) =>
      html`<li><a href="#${encodeURIComponent(anchor)}"${level === 2 && html` class="second"`}>${title}</a></li>`,
  );
  return html`<nav class="outline" aria-label="${words.onThisPage}"><h2>${words.onThisPage}</h2><ul>${items}</ul></nav>`;
}
