import type { Element, Root } from 'hast';
import { HtmlError, parseHtmlFragment } from '../html/parse-html.ts';
import { childElements } from './child-elements.ts';

/** An iframe of an external page. */
export interface EmbeddedFrame {
  src: string;
  width?: number;
  height?: number;
}

/** Longer HTML is not an iframe. */
const MAX_HTML = 8_000;

/**
 * The iframe in the HTML of an oEmbed response (oEmbed 1.0, sections 2.3.4.2 and 2.3.4.4), if it has an https URL;
 * undefined for anything else. Foreign HTML is never passed on: only the URL and size are used.
 */
export function embeddedFrame(html: string): EmbeddedFrame | undefined {
  if (html.length > MAX_HTML) return undefined;
  const frames = framesIn(treeOf(html), 0);
  const [properties] = frames.map((frame) => frame.properties);
  const src = properties?.src;
  if (frames.length !== 1 || typeof src !== 'string' || !URL.canParse(src)) return undefined;
  const address = new URL(src);
  if (address.protocol !== 'https:' || address.username !== '' || address.password !== '') return undefined;
  return { src: address.href, ...sizeOf('width', properties?.width), ...sizeOf('height', properties?.height) };
}

/** An empty tree for HTML that is nested too deep. */
function treeOf(html: string): Root {
  try {
    return parseHtmlFragment(html);
  } catch (error) {
    if (error instanceof HtmlError) return { type: 'root', children: [] };
    throw error;
  }
}

/** The HTML of a sandboxed iframe. */
export function frameHtml({ src, width, height }: EmbeddedFrame): string {
  const size = `${width === undefined ? '' : ` width="${width}"`}${height === undefined ? '' : ` height="${height}"`}`;
  const sandbox = 'allow-scripts allow-same-origin allow-popups allow-forms allow-presentation';
  return `<iframe src="${escapeAttribute(src)}"${size} sandbox="${sandbox}" referrerpolicy="strict-origin-when-cross-origin" loading="lazy" allowfullscreen></iframe>`;
}

const MAX_NESTING = 8;

function framesIn(parent: Root | Element, depth: number): Element[] {
  if (depth > MAX_NESTING) return [];
  return childElements(parent).flatMap((child) => (child.tagName === 'iframe' ? [child] : framesIn(child, depth + 1)));
}

function sizeOf(name: 'width' | 'height', value: unknown): { [name: string]: number } {
  const pixels = Number(value);
  return Number.isInteger(pixels) && pixels > 0 && pixels <= 4_000 ? { [name]: pixels } : {};
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
