import type { OutlineEntry } from '../../../lib/document-html/document-html.ts';
import { type Html, type HtmlValue, html } from '../../../lib/document-html/html.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { trimOf } from '../../../lib/trim-characters.ts';
import { layoutOf } from '../../content/pages/index.ts';
import { directionOfTitle, interfaceAttributes, type PageFrame } from './frame.ts';
import { placePagePath, placeSegments } from './navigation.ts';
import { type PageTree, shortTitle } from './page-tree.ts';
import { placePath } from './site-view.ts';

/** A page to show. */
export interface Shown {
  frame: PageFrame;
  tree: PageTree;
  page: LoadedPage;
  /** Path that the other forms of the page begin with. */
  files: string;
  cover: HtmlValue;
}

/** The content of the element `main`. */
export function mainHtml({ frame, tree, page, files, cover }: Shown, body: Html): Html {
  const { place } = frame;
  const fields = page.node.kind === 'document' ? page.node.fields : undefined;
  const layout = layoutOf(fields?.layout);
  return html`<article>
${layout.cover && cover}
<header>
${breadcrumbs(frame, tree, page)}
<h1${!layout.title && html` class="hidden"`}${directionOfTitle(frame, page.title)}>${page.title}</h1>
${layout.description && fields?.description && html`<p class="lead"${directionOfTitle(frame, fields.description)}>${fields.description}</p>`}
${layout.actions && actionsHtml(frame, page, files)}
</header>
<div class="body">${body}</div>
${layout.pagination && place.look.pagination.enabled && turnHtml(frame, tree, page)}
${layout.metadata && html`<p class="updated"${interfaceAttributes(frame)}>${place.words.updated}: <time datetime="${page.node.updatedAt}">${dateOf(page.node.updatedAt, place.words.language)}</time></p>`}
</article>`;
}

const dateOf = (time: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

/** The groups and pages above a page. */
function breadcrumbs(frame: PageFrame, tree: PageTree, page: LoadedPage): HtmlValue {
  const above = tree.pathTo(page).slice(0, -1);
  if (above.length === 0) return undefined;
  const items = above.map((ancestor) =>
    ancestor.kind === 'document'
      ? html`<li><a href="${placePagePath(frame, tree, ancestor)}">${shortTitle(ancestor)}</a></li>`
      : html`<li>${shortTitle(ancestor)}</li>`,
  );
  return html`<nav class="breadcrumbs" aria-label="${frame.place.words.breadcrumbs}"><ol>${items}</ol></nav>`;
}

function actionsHtml(frame: PageFrame, page: LoadedPage, files: string): HtmlValue {
  const { view, place } = frame;
  const { look, words } = place;
  const markdown =
    look.pageActions.markdown && view.site.isForAgents && html`<a href="${files}.md">${words.asMarkdown}</a>`;
  const space = trimOf(placePath(placeSegments(frame)), '/');
  const pdf =
    look.pdf.enabled &&
    html`<a href="${view.base}/${space === '' ? '' : `${space}/`}~gitbook/pdf?page=${page.pageId}&only=yes" rel="nofollow">${words.asPdf}</a>`;
  return (markdown || pdf) && html`<p class="actions"${interfaceAttributes(frame)}>${markdown}${pdf}</p>`;
}

/** The previous and the next page in reading order. */
function turnHtml(frame: PageFrame, tree: PageTree, page: LoadedPage): HtmlValue {
  const { words } = frame.place;
  const [before, after] = [tree.neighbor(page, -1), tree.neighbor(page, 1)];
  if (!before && !after) return undefined;
  const link = (to: LoadedPage, rel: 'prev' | 'next', label: string) =>
    html`<a class="${rel}" rel="${rel}" href="${placePagePath(frame, tree, to)}"><small${interfaceAttributes(frame)}>${label}</small>${shortTitle(to)}</a>`;
  return html`<nav class="turn" aria-label="${words.previous} / ${words.next}">${before && link(before, 'prev', words.previous)}${after && link(after, 'next', words.next)}</nav>`;
}

/** The headings of a page. */
export function outlineHtml(frame: PageFrame, outline: readonly OutlineEntry[]): Html {
  const { words } = frame.place;
  const items = outline.map(
    ({ anchor, title, level }) =>
      html`<li><a href="#${encodeURIComponent(anchor)}"${level === 2 && html` class="second"`}>${title}</a></li>`,
  );
  return html`<nav class="outline" aria-label="${words.onThisPage}"><h2${interfaceAttributes(frame)}>${words.onThisPage}</h2><ul>${items}</ul></nav>`;
}
