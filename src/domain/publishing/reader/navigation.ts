import { emojiOfCode } from '../../../lib/document/emoji.ts';
import { type Html, type HtmlValue, html } from '../../../lib/document-html/html.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { urlPathIn } from '../structure/index.ts';
import type { PageFrame } from './frame.ts';
import { urlOfRef } from './header.ts';
import type { LanguageVersions } from './languages.ts';
import { type PageTree, shortTitle } from './page-tree.ts';
import { pathOfPage, placePath } from './site-view.ts';

/** The segments of the place that is shown. */
export const placeSegments = ({ view, place }: PageFrame): string[] =>
  urlPathIn(view.structure, place.located.siteSpace);

/** The path of a page of the place. The home page is at the root of the place. */
export function placePagePath(frame: PageFrame, tree: PageTree, page: LoadedPage): string {
  const segments = placeSegments(frame);
  return `${frame.view.base}${tree.home === page ? placePath(segments) : pathOfPage(segments, page.path ?? '')}`;
}

/**
 * The page tree as visitors unfold it. Groups show their pages. Other pages show those below them only on the way to
 * the current page, so that the length of a page does not grow with the space.
 */
export function navigationHtml(
  frame: PageFrame,
  tree: PageTree,
  current: LoadedPage | undefined,
  versions: LanguageVersions = new Map(),
): Html {
  const way = new Set(current ? tree.pathTo(current).map(({ pageId }) => pageId) : []);
  return html`${variantsHtml(frame, versions)}<ul>${levelHtml({ frame, tree, way, current }, null)}</ul>`;
}

interface Navigation {
  frame: PageFrame;
  tree: PageTree;
  way: ReadonlySet<string>;
  current: LoadedPage | undefined;
}

const levelHtml = (navigation: Navigation, parentId: string | null): HtmlValue[] =>
  navigation.tree.listedBelow(parentId).map((page) => pageHtml(navigation, page));

function pageHtml(navigation: Navigation, page: LoadedPage): HtmlValue {
  const { frame, tree, way, current } = navigation;
  const title = html`${emojiHtml(page)}${shortTitle(page)}`;
  switch (page.kind) {
    case 'group':
      return html`<li class="section"><div class="group">${title}</div><ul>${levelHtml(navigation, page.pageId)}</ul></li>`;
    case 'link': {
      const url = urlOfRef(frame, page.node.kind === 'link' ? page.node.fields.target : undefined);
      return (
        url !== undefined &&
        html`<li><a href="${url}"${/^https?:/i.test(url) && html` class="out" rel="noopener"`}>${title}</a></li>`
      );
    }
    case 'document': {
      const below = tree.listedBelow(page.pageId);
      const isOpen = way.has(page.pageId);
      const classes = below.length > 0 && html` class="more${isOpen && ' open'}"`;
      const isCurrent = current?.pageId === page.pageId;
      const inner = isOpen && below.length > 0 && html`<ul>${levelHtml(navigation, page.pageId)}</ul>`;
      return html`<li><a href="${placePagePath(frame, tree, page)}"${classes}${isCurrent && html` aria-current="page"`}>${title}</a>${inner}</li>`;
    }
    default:
      return undefined;
  }
}

const emojiHtml = ({ node: { fields } }: LoadedPage): HtmlValue => {
  const emoji = fields.emoji === undefined ? undefined : emojiOfCode(fields.emoji);
  return emoji !== undefined && html`<span aria-hidden="true">${emoji}</span>`;
};

/**
 * The spaces of the same section, if there are several. Other languages of the content lead to the same page, or to
 * their start.
 */
function variantsHtml(frame: PageFrame, versions: LanguageVersions): HtmlValue {
  const { view, place } = frame;
  const { siteSpace } = place.located;
  const variants = view.structure.siteSpacesIn(siteSpace.sectionId);
  if (variants.length < 2) return undefined;
  const items = variants.map((variant) => {
    const path = `${view.base}${versions.get(variant.id) ?? placePath(urlPathIn(view.structure, variant))}`;
    const language = place.languages.find(({ siteSpace: other }) => other.id === variant.id)?.language;
    const isCurrent = variant.id === siteSpace.id;
    return html`<li><a href="${path}"${language !== undefined && html` hreflang="${language}" lang="${language}"`}${isCurrent && html` aria-current="true"`}>${place.titles.get(variant.id)}</a></li>`;
  });
  return html`<details class="drop variants"><summary aria-label="${place.words.variants}: ${place.space.title}">${place.space.title}</summary><ul>${items}</ul></details>`;
}
