import { isContentRef } from '../../../lib/document/data-shapes.ts';
import { type Html, type HtmlValue, html } from '../../../lib/document-html/html.ts';
import { webTarget } from '../../../lib/document-html/printing.ts';
import { type Customization, shownItems } from '../customization/index.ts';
import { type SiteItemRow, urlPathOfSection } from '../structure/index.ts';
import { type ColorMode, PARAMETER } from './color-mode.ts';
import { interfaceAttributes, modeOf, type PageFrame } from './frame.ts';
import { placePath } from './site-view.ts';

type HeaderItem = Customization['header']['links'][number];

const MENU = html`<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M4 6h16M4 12h16M4 18h16"/></svg>`;
const LENS = html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="M10.5 10.5L14 14"/></svg>`;

export function announcementHtml(frame: PageFrame): HtmlValue {
  const { look, words } = frame.place;
  const { announcement } = look;
  if (!announcement?.enabled) return undefined;
  const link = announcement.link && appearanceLinkHtml(frame, announcement.link);
  return html`<aside class="announcement ${announcement.style}" aria-label="${words.announcement}">${announcement.message}${link && html` ${link}`}</aside>`;
}

/** The URL of a reference of the appearance. Undefined if it leads to nothing that the visitor sees. */
export function urlOfRef({ view, targets }: Pick<PageFrame, 'view' | 'targets'>, ref: unknown): string | undefined {
  const source = { targets, siteUrl: view.base, direction: 'ltr', opensNewWindow: false, words: NO_WORDS } as const;
  return isContentRef(ref) ? webTarget(source, ref)?.url : undefined;
}

const NO_WORDS = { linkTo: '', done: '', open: '', info: '', success: '', warning: '', danger: '' };

/** A link of the appearance. Without a target, it is left out. */
export function appearanceLinkHtml(
  frame: PageFrame,
  { title, to }: { title: string; to: unknown },
  classes = '',
): HtmlValue {
  const url = urlOfRef(frame, to);
  if (url === undefined) return undefined;
  const isOutside = /^https?:/i.test(url);
  const isBlank = isOutside && frame.place.look.externalLinks.target === 'blank';
  return html`<a href="${url}"${classes !== '' && html` class="${classes}"`}${isOutside && html` rel="noopener"`}${isBlank && html` target="_blank"`}>${title || url}</a>`;
}

export function headerHtml(frame: PageFrame, query = ''): Html {
  const { look, words } = frame.place;
  const { ctx, site } = frame.view;
  const items = look.header.preset === 'none' ? [] : shownItems(ctx, site.id, look.header.links);
  const links = items.map((item) => itemHtml(frame, item));
  return html`<header class="bar">
<button type="button" class="menu" popovertarget="pages" aria-label="${words.menu}">${MENU}</button>
${brandHtml(frame)}
${links.length > 0 && html`<nav class="links" aria-label="${words.links}">${links}</nav>`}
${searchHtml(frame, query)}
${modeHtml(frame, query)}
</header>`;
}

/** The form of the search. A second one on a page has a label of its own. */
export function searchHtml(frame: PageFrame, query: string, label?: string): Html {
  const { view, place } = frame;
  const { words } = place;
  return html`<form class="search" role="search"${interfaceAttributes(frame)}${label !== undefined && html` aria-label="${label}"`} action="${view.base}/~gitbook/search">${LENS}<input type="search" name="q" maxlength="256" value="${query}" placeholder="${words.search}" aria-label="${words.search}" dir="auto"></form>`;
}

/** The logo, or the icon and the title. */
function brandHtml({ view, place, targets }: PageFrame): Html {
  const { look } = place;
  const title = look.title ?? view.site.title;
  const home = (look.header.primaryLink && urlOfRef({ view, targets }, look.header.primaryLink)) ?? `${view.base}/`;
  const { logo } = look.header;
  if (!logo) {
    const icon = `${view.base}/~gitbook/icon`;
    return html`<a class="brand" href="${home}"><img class="mark" src="${icon}" alt="" width="32" height="32"><span>${title}</span></a>`;
  }
  const mode = modeOf(place);
  const image = html`<img class="logo" src="${mode === 'dark' ? logo.dark : logo.light}" alt="${title}">`;
  if (mode !== 'auto') return html`<a class="brand" href="${home}">${image}</a>`;
  return html`<a class="brand" href="${home}"><picture><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)">${image}</picture></a>`;
}

function itemHtml(frame: PageFrame, item: HeaderItem): HtmlValue {
  const { style = 'link', links, title, to } = item;
  const classes = { link: '', 'button-primary': 'button primary', 'button-secondary': 'button secondary' }[style];
  const below = links.map((link) => appearanceLinkHtml(frame, link)).filter((link) => link !== undefined);
  if (below.length === 0) return to === null ? undefined : appearanceLinkHtml(frame, { title, to }, classes);
  return html`<details class="drop"><summary>${title}</summary><ul>${below.map((link) => html`<li>${link}</li>`)}</ul></details>`;
}

/** The sections of the site, with groups as menus. */
export function sectionsHtml(frame: PageFrame): HtmlValue {
  const { view, place } = frame;
  const items = view.structure.itemsIn(null);
  if (items.length === 0) return undefined;
  return html`<nav class="sections" aria-label="${place.words.sections}"><ul>${items.map((item) => html`<li>${sectionHtml(frame, item, true)}</li>`)}</ul></nav>`;
}

function sectionHtml(frame: PageFrame, item: SiteItemRow, isTop: boolean): HtmlValue {
  const { view, place } = frame;
  if (item.kind === 'link')
    return html`<a href="${item.url}" rel="noopener">${item.title}${!isTop && aboutHtml(item)}</a>`;
  if (item.kind === 'section') {
    const isCurrent = place.located.section?.id === item.id;
    return html`<a href="${view.base}${placePath(urlPathOfSection(item))}"${isCurrent && html` aria-current="true"`}>${item.title}${!isTop && aboutHtml(item)}</a>`;
  }
  const below = view.structure.itemsIn(item.id).map((child) => html`<li>${sectionHtml(frame, child, false)}</li>`);
  if (!isTop) return html`<span class="group">${item.title}</span><ul>${below}</ul>`;
  const isCurrent = isWithin(frame, item.id);
  return html`<details class="drop"><summary${isCurrent && html` class="current"`}>${item.title}</summary><ul>${below}</ul></details>`;
}

const aboutHtml = ({ description }: SiteItemRow) => description && html`<small>${description}</small>`;

function isWithin({ view, place }: PageFrame, groupId: string): boolean {
  let above = place.located.section?.groupId ?? null;
  while (above !== null && above !== groupId) above = view.structure.item(above)?.groupId ?? null;
  return above === groupId;
}

const HALF = html`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/></svg>`;

/**
 * The links that choose a mode, if the appearance lets visitors choose. `query` is that of a page of search results.
 */
function modeHtml({ place }: PageFrame, query: string): HtmlValue {
  const { look, words, mode } = place;
  if (!look.themes.toggeable) return undefined;
  const link = (chosen: ColorMode | 'system', label: string): Html => {
    const parameters = new URLSearchParams([...(query === '' ? [] : [['q', query]]), [PARAMETER, chosen]]);
    const isCurrent = (mode ?? 'system') === chosen;
    return html`<li><a href="?${parameters.toString()}" rel="nofollow"${isCurrent && html` aria-current="true"`}>${label}</a></li>`;
  };
  const links = [link('light', words.light), link('dark', words.dark), link('system', words.system)];
  return html`<details class="drop modes"><summary aria-label="${words.mode}">${HALF}</summary><ul>${links}</ul></details>`;
}
