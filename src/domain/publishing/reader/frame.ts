import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { isContentRef } from '../../../lib/document/data-shapes.ts';
import { type HtmlValue, html } from '../../../lib/document-html/html.ts';
import {
  directionOf,
  directionOfContent,
  directionOfLanguage,
  type TextDirection,
} from '../../../lib/text-direction.ts';
import { urlPathIn } from '../structure/index.ts';
import type { PageTree } from './page-tree.ts';
import type { SitePlace, SiteView } from './site-view.ts';
import { type WebTargets, webTargets } from './targets.ts';

/**
 * Common parts of all pages of a place: the appearance, and the targets of the links in the header, footer and page
 * tree.
 */
export interface PageFrame {
  view: SiteView;
  place: SitePlace;
  targets: WebTargets;
  content: ContentLanguage;
}

/** How the content of a place is written. */
export interface ContentLanguage {
  /** A tag of BCP 47, if it is known. */
  language: string | undefined;
  direction: TextDirection;
}

function contentLanguage({ space, languages, located }: SitePlace, tree: PageTree): ContentLanguage {
  const translated = languages.find(({ siteSpace }) => siteSpace.id === located.siteSpace.id)?.language;
  const language = translated ?? space.language ?? undefined;
  const titles = tree.documents.map(({ title }) => title);
  return { language, direction: directionOfContent(language, titles) };
}

/** Attributes of content in the language of the interface, where the page has another one. */
export function interfaceAttributes({ place: { words }, content }: PageFrame): HtmlValue {
  if (content.language === undefined ? content.direction === 'ltr' : content.language === words.language)
    return undefined;
  const direction = directionOfLanguage(words.language);
  return html` lang="${words.language}"${direction !== content.direction && html` dir="${direction}"`}`;
}

/** The attribute of a title among content of a direction, if it has the other one. */
export function directionOfTitle({ content }: PageFrame, title: string): HtmlValue {
  const direction = directionOf(title, content.direction);
  return direction !== content.direction && html` dir="${direction}"`;
}

/** Reads the common parts of the pages of a place. */
export async function readPageFrame(view: SiteView, place: SitePlace, tree: PageTree): Promise<PageFrame> {
  const { header, footer, announcement } = place.look;
  const links: unknown[] = [
    ...header.links.flatMap(({ to, links: below }) => [to, ...below.map((link) => link.to)]),
    ...footer.groups.flatMap((group) => group.links.map(({ to }) => to)),
    header.primaryLink,
    announcement?.link?.to,
  ];
  const origin = { tree, spaceId: place.space.id, segments: urlPathIn(view.structure, place.located.siteSpace) };
  const targets = await webTargets(view, origin, [...links.filter(isContentRef), ...linkTargets(tree)]);
  return { view, place, targets, content: contentLanguage(place, tree) };
}

/** Choice of the visitor. `auto` leaves it to the browser, where visitors choose the mode of all websites. */
export function modeOf({ look: { themes }, mode }: SitePlace): 'auto' | 'light' | 'dark' {
  if (themes.toggeable) return mode ?? 'auto';
  return themes.default === 'system' ? 'auto' : themes.default;
}

/** The references of the link pages of a tree. */
const linkTargets = ({ pages }: PageTree): ContentRef[] =>
  pages.flatMap(({ node }): unknown[] => (node.kind === 'link' ? [node.fields.target] : [])).filter(isContentRef);
