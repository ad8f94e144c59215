import type { Inline, Leaf, Phrasing } from '../../document.ts';
import { escapeHtml } from '../entities.ts';
import { FOOTNOTE_ANCHOR } from '../forms.ts';
import { guardEnds } from './escape.ts';
import type { WriteContext } from './write-context.ts';
import { imageTag, writeAttribute } from './write-image-tag.ts';
import { writeButton, writeEmoji, writeIcon } from './write-inline.ts';
import { textAtEnd, textAtStart } from './write-line.ts';
import { closeTag, openTag } from './write-mark.ts';

/** A line of text as HTML, for blocks in which Markdown is not read. It contains no line breaks. */
export function writeHtmlLine(nodes: readonly Phrasing[], ctx: WriteContext): string {
  return guardEnds(writeNodes(nodes, ctx));
}

function writeNodes(nodes: readonly Phrasing[], ctx: WriteContext): string {
  return nodes
    .map((node, i) => {
      if (node.object === 'text') return node.leaves.map(writeLeaf).join('');
      return writeInline(node, { before: textAtEnd(nodes[i - 1]), after: textAtStart(nodes[i + 1]) }, ctx);
    })
    .join('');
}

function writeLeaf({ text, marks }: Leaf): string {
  const opening = marks.map(openTag).join('');
  const closing = marks.map(closeTag).reverse().join('');
  return opening + escapeHtml(text) + closing;
}

function writeInline(node: Inline, around: { before: string; after: string }, ctx: WriteContext): string {
  switch (node.type) {
    case 'link':
      return `<a${writeAttribute('href', ctx.urlOf(node.data.ref))}>${writeNodes(node.nodes, ctx)}</a>`;
    case 'emoji':
      return writeEmoji(node.data.code, around);
    case 'icon':
      return writeIcon(node);
    case 'expression':
      return `<code class="expression">${escapeHtml(node.data.expression)}</code>`;
    case 'inline-math':
      return `<span class="math">${escapeHtml(node.data.formula)}</span>`;
    case 'inline-image':
      return imageTag(node.data, ctx, true);
    case 'annotation': {
      const href = `${FOOTNOTE_ANCHOR}${ctx.footnote(node.fragments[0]?.nodes ?? [])}`;
      return `<a${writeAttribute('href', href)} data-footnote-ref>${writeNodes(node.nodes, ctx)}</a>`;
    }
    case 'mention': {
      const url = ctx.urlOf(node.data.ref);
      return `<a${writeAttribute('href', url)} data-mention>${escapeHtml(url)}</a>`;
    }
    case 'button':
      return writeButton(node.data, escapeHtml, ctx);
  }
}
