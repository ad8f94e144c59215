import type { ContentRef, MediaRef } from '../document/content-ref.ts';
import type { Inline, InlineOf, Leaf, Mark, Phrasing } from '../document/document.ts';
import { emojiOfCode } from '../document/emoji.ts';
import { textOf } from '../document/plain-text.ts';
import { type Html, html, joinHtml } from './html.ts';
import { hrefOf, linkTo, type WebPrinting, type WebSource, webTarget } from './printing.ts';

/** A line of text. */
export const phrasingHtml = (printing: WebPrinting, nodes: readonly Phrasing[]): Html =>
  joinHtml(
    nodes.map((node) => (node.object === 'text' ? joinHtml(node.leaves.map(leafHtml)) : inlineHtml(printing, node))),
  );

const leafHtml = ({ text, marks }: Leaf): Html => marks.reduce((content, mark) => marked(content, mark), lines(text));

/** Text with its line breaks. */
const lines = (text: string): Html =>
  joinHtml(text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`)));

function marked(content: Html, mark: Mark): Html {
  switch (mark.type) {
    case 'bold':
      return html`<strong>${content}</strong>`;
    case 'italic':
      return html`<em>${content}</em>`;
    case 'code':
      return html`<code>${content}</code>`;
    case 'keyboard':
      return html`<kbd>${content}</kbd>`;
    case 'strikethrough':
      return html`<s>${content}</s>`;
    case 'superscript':
      return html`<sup>${content}</sup>`;
    case 'subscript':
      return html`<sub>${content}</sub>`;
    case 'color':
      return html`<span class="${colorClasses(mark.data)}">${content}</span>`;
  }
}

/** Colors are classes, because the policy of pages forbids styles in attributes. */
const colorClasses = ({ text, background }: { text: string; background: string }): string =>
  `${classOf('text', text)} ${classOf('back', background)}`;

export const classOf = (prefix: string, name: string) => `${prefix}-${name.replace(/[^a-z]/g, '')}`;

function inlineHtml(printing: WebPrinting, node: Inline): Html {
  switch (node.type) {
    case 'link':
      return linkTo(printing, webTarget(printing, node.data.ref)?.url, phrasingHtml(printing, node.nodes));
    case 'emoji':
      return html`${emojiOfCode(node.data.code)}`;
    case 'expression':
      return html`<code>{{ ${node.data.expression} }}</code>`;
    case 'inline-math':
      return printing.typeset(node.data.formula, false) ?? html`<code>${node.data.formula}</code>`;
    case 'inline-image':
      return inlineImage(printing, node);
    case 'annotation':
      return annotation(printing, node);
    case 'mention':
      return mention(printing, node.data.ref);
    case 'button':
      return button(printing, node);
    case 'icon':
      return html``;
  }
}

function inlineImage(printing: WebPrinting, { data }: InlineOf<'inline-image'>): Html {
  const alt = data.alt ?? data.caption ?? '';
  const picture = pictureHtml(printing, data, { alt });
  if (!picture)
    return linkTo(printing, webTarget(printing, data.ref)?.url, alt || webTarget(printing, data.ref)?.label);
  return html`<span class="inline-image${data.size === 'line' && ' in-line'}">${picture}</span>`;
}

interface Pictured {
  ref: MediaRef;
  refDark?: MediaRef;
}

interface Sized {
  alt: string;
  width?: string | undefined;
}

/** An image of the site. Undefined for images elsewhere: pages load nothing from other sites. */
export function pictureHtml(printing: WebSource, { ref, refDark }: Pictured, { alt, width }: Sized): Html | undefined {
  const light = imageAt(printing, ref);
  const dark = refDark && imageAt(printing, refDark);
  const picture = printing.mode === 'dark' ? (dark ?? light) : light;
  if (!picture) return undefined;
  const size = width === undefined ? naturalSize(picture) : html` width="${width}"`;
  const image = html`<img src="${picture.url}" alt="${alt}"${size} loading="lazy" decoding="async">`;
  if (!dark || printing.mode !== undefined) return image;
  return html`<picture><source srcset="${dark.url}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

const naturalSize = ({ width, height }: { width?: number; height?: number }) =>
  width !== undefined && height !== undefined && html` width="${width}" height="${height}"`;

function imageAt(printing: WebSource, ref: MediaRef) {
  const target = ref.kind === 'file' ? webTarget(printing, ref) : undefined;
  return target?.url === undefined ? undefined : target;
}

/** A note that opens at its text, as a popover (HTML, "The popover attribute"). */
function annotation(printing: WebPrinting, node: InlineOf<'annotation'>): Html {
  const id = `note-${printing.next()}`;
  const note = node.fragments.flatMap(({ nodes }) => nodes);
  return html`<button type="button" class="note" popovertarget="${id}">${phrasingHtml(printing, node.nodes)}</button><span id="${id}" class="popover" popover>${joinHtml(
    note
      .map((block) => (block.type === 'paragraph' ? phrasingHtml(printing, block.nodes) : lines(textOf(block))))
      .flatMap((line, index) => (index === 0 ? [line] : [html`<br>`, line])),
  )}</span>`;
}

function mention(printing: WebPrinting, ref: ContentRef): Html {
  const target = webTarget(printing, ref);
  if (ref.kind === 'user') return html`@${target?.label ?? 'user'}`;
  return linkTo(printing, target?.url, target?.label ?? ref.kind);
}

function button(printing: WebPrinting, { data }: InlineOf<'button'>): Html {
  const { action, label, kind, ref } = data;
  const searched =
    action?.action === 'search' || action?.action === 'ask'
      ? `${printing.siteUrl}/~gitbook/search?q=${encodeURIComponent(action.query ?? '')}`
      : undefined;
  const url = searched ?? (ref && webTarget(printing, ref)?.url);
  if (url === undefined) return html`<span class="button ${kind}">${label}</span>`;
  return html`<a class="button ${kind}"${hrefOf(printing, url)}>${label}</a>`;
}
