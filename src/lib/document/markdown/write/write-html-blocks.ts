import { type Heading, isHeading } from '../../anchors.ts';
import type { Block, BlockOf, TextAlignment } from '../../document.ts';
import { textOfLine } from '../../plain-text.ts';
import { writeAnchors } from '../anchors.ts';
import { entity, escapeHtml } from '../entities.ts';
import type { WriteContext } from './write-context.ts';
import { writeHtmlLine } from './write-html-line.ts';
import { imageTag, writeAttribute } from './write-image-tag.ts';

/** Values of HTML's `align` for alignments of documents. */
const sides: Record<TextAlignment, string> = { start: 'left', center: 'center', end: 'right' };

/** Whether a block can be printed as HTML and read back completely. */
export function isHtmlBlock(node: Block): boolean {
  switch (node.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
    case 'divider':
    case 'images':
      return true;
    case 'code':
      return isPlainCode(node);
    case 'blockquote':
    case 'list-item':
      return node.nodes.every(isHtmlBlock);
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return node.nodes.every(isHtmlBlock);
    default:
      return false;
  }
}

/** Blocks as HTML without line breaks. A single paragraph is only its line. */
export function writeHtmlBlocks(blocks: readonly Block[], ctx: WriteContext): string {
  const [only, ...others] = blocks;
  if (only?.type === 'paragraph' && others.length === 0 && !only.data.align) {
    return writeAnchors(only) + writeHtmlLine(only.nodes, ctx);
  }
  return blocks.map((each) => writeAnchored(each, ctx)).join('');
}

function writeAnchored(node: Block, ctx: WriteContext): string {
  const hasLine = node.type === 'paragraph' || isHeading(node);
  return (hasLine ? '' : writeAnchors(node)) + writeHtmlBlock(node, ctx);
}

/** Level of a heading in Markdown and HTML. */
export const headingLevel = ({ type }: { type: Heading['type'] }, { topHeading }: WriteContext): number =>
  Number(type.slice(-1)) + topHeading - 1;

/** A block as HTML, if `isHtmlBlock` allows it. */
export function writeHtmlBlock(node: Block, ctx: WriteContext): string {
  if (isHeading(node)) {
    const tag = `h${headingLevel(node, ctx)}`;
    const id = writeAttribute('id', node.data.id);
    return `<${tag}${alignAttribute(node.data.align)}${id}>${writeAnchors(node)}${writeHtmlLine(node.nodes, ctx)}</${tag}>`;
  }
  switch (node.type) {
    case 'paragraph':
      return `<p${alignAttribute(node.data.align)}>${writeAnchors(node)}${writeHtmlLine(node.nodes, ctx)}</p>`;
    case 'divider':
      return '<hr>';
    case 'images':
      return writeFigures(node, ctx);
    case 'blockquote':
      return `<blockquote>${node.nodes.map((each) => writeAnchored(each, ctx)).join('')}</blockquote>`;
    case 'list-ordered':
      return `<ol${writeAttribute('start', node.data.start?.toString())}>${writeItems(node.nodes, ctx)}</ol>`;
    case 'list-unordered':
    case 'list-tasks':
      return `<ul>${writeItems(node.nodes, ctx)}</ul>`;
    case 'code':
      return writePre(node);
    default:
      return '';
  }
}

/** A `<figure>` for an image, a `<div>` of figures for several. */
export function writeFigures(node: BlockOf<'images'>, ctx: WriteContext): string {
  const { align, fullWidth, withFrame } = node.data;
  const attributes = [
    writeAttribute('align', align),
    writeAttribute('data-full-width', fullWidth?.toString()),
    writeAttribute('data-with-frame', withFrame?.toString()),
  ].join('');
  const [only, ...others] = node.nodes;
  if (only && others.length === 0) return figure(only, attributes, ctx);
  return `<div${attributes}>${node.nodes.map((image) => figure(image, '', ctx)).join('')}</div>`;
}

function figure(image: BlockOf<'image'>, attributes: string, ctx: WriteContext): string {
  const [caption] = image.fragments;
  const text = caption ? `<figcaption>${writeHtmlBlocks(caption.nodes, ctx)}</figcaption>` : '';
  return `<figure${attributes}>${imageTag(image.data, ctx)}${text}</figure>`;
}

function writeItems(items: readonly BlockOf<'list-item'>[], ctx: WriteContext): string {
  return items
    .map(({ data, nodes }) => {
      const box = data.checked === undefined ? '' : `<input type="checkbox"${data.checked ? ' checked' : ''}>`;
      return `<li>${box}${writeHtmlBlocks(nodes, ctx)}</li>`;
    })
    .join('');
}

function writePre({ data, nodes }: BlockOf<'code'>): string {
  const code = nodes.map((line) => escapeHtml(textOfLine(line.nodes))).join(entity('\n'));
  return `<pre><code${writeAttribute('class', data.syntax && `language-${data.syntax}`)}>${code}</code></pre>`;
}

function isPlainCode({ data: { syntax = '', ...data }, nodes }: BlockOf<'code'>): boolean {
  const isBare = Object.values(data).every((value) => value === undefined) && !/\s/.test(syntax);
  return isBare && nodes.every((line) => !line.data.highlighted && line.nodes.every((each) => each.object === 'text'));
}

function alignAttribute(align: TextAlignment | undefined): string {
  return writeAttribute('align', align && sides[align]);
}
