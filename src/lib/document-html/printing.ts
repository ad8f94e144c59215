import type { ContentRef } from '../document/content-ref.ts';
import { stableUrl } from '../document/stable-url.ts';
import type { Highlight } from '../highlight-code.ts';
import { directionOf, type TextDirection } from '../text-direction.ts';
import { type Html, type HtmlValue, html } from './html.ts';

/** Target of a reference. */
export interface WebTarget {
  label: string;
  /** Absent if visitors cannot follow the reference. */
  url?: string;
  /** Of images, in pixels. */
  width?: number;
  height?: number;
}

/** Words of the interface within documents, in the language of the site. */
export interface DocumentWords {
  linkTo: string;
  done: string;
  open: string;
  info: string;
  success: string;
  warning: string;
  danger: string;
}

/** Input for printing a document, as plain data that can be posted to a worker. */
export interface WebSource {
  /** Targets of references by their stable URL. Other references are shown without a link. */
  targets: Readonly<Record<string, WebTarget>>;
  words: DocumentWords;
  /** Language of the dates, as a BCP 47 tag. By default, English. */
  language?: string | undefined;
  /** URL of the site, without a slash at the end. Paths within the site are relative to it. */
  siteUrl: string;
  /** Of the content around the document. */
  direction: TextDirection;
  /** Whether links to other sites open in a new window. */
  opensNewWindow: boolean;
  /** The mode of the site, or undefined if the browser decides. */
  mode?: 'light' | 'dark';
}

/** Context for printing one document. */
export interface WebPrinting extends WebSource {
  /** Colors code. The colors are names of classes. */
  highlight: Highlight;
  /** A formula as MathML. Undefined if it cannot be typeset. */
  typeset(formula: string, isBlock: boolean): Html | undefined;
  /** A number that is unique in the document, for ids of elements. */
  next(): number;
  /** The anchors that elements of the page have, each once. */
  ids: Set<string>;
}

/** The attribute of an element whose text has another direction than its surroundings. */
export function directionHtml({ direction }: WebSource, text: string): HtmlValue {
  const own = directionOf(text, direction);
  return own !== direction && html` dir="${own}"`;
}

const FOLLOWED = /^(?:https?:|mailto:|tel:)/i;

/** The target of a URL. Undefined for URLs with schemes that could execute code, and for relative paths. */
function followedUrl({ siteUrl }: Pick<WebSource, 'siteUrl'>, url: string): string | undefined {
  if (FOLLOWED.test(url) || url.startsWith('#')) return url;
  return /^\/(?![/\\])/.test(url) ? `${siteUrl}${url}` : undefined;
}

export function webTarget(printing: WebSource, ref: ContentRef): WebTarget | undefined {
  const key = stableUrl(ref);
  if (Object.hasOwn(printing.targets, key)) return printing.targets[key];
  if (ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined) {
    return { label: ref.anchor, url: `#${encodeURIComponent(ref.anchor)}` };
  }
  if (ref.kind !== 'url') return undefined;
  const url = followedUrl(printing, ref.url);
  return { label: ref.url, ...(url !== undefined && { url }) };
}

const isOutside = ({ siteUrl }: WebSource, url: string) =>
  /^https?:/i.test(url) && url !== siteUrl && !url.startsWith(`${siteUrl}/`);

/** Attributes of a link. */
export const hrefOf = (printing: WebSource, url: string): Html => {
  if (!isOutside(printing, url)) return html` href="${url}"`;
  return html` href="${url}" rel="noopener"${printing.opensNewWindow && html` target="_blank"`}`;
};

/** A link, or only its content if there is no target. */
export const linkTo = (printing: WebSource, url: string | undefined, content: HtmlValue): Html =>
  url === undefined ? html`${content}` : html`<a${hrefOf(printing, url)}>${content}</a>`;
