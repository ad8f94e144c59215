import { block, fragment, paragraph } from '../../build.ts';
import type { Block, TextAlignment } from '../../document.ts';
import { blockRules } from '../../node-rules.ts';
import { separate, split } from './fit.ts';
import { isBlockElement } from './html-names.ts';
import type { MarkupElement } from './item.ts';
import { holdsFlow, trimmedItems } from './items.ts';
import type { ReadContext } from './read-context.ts';
import { readHeading } from './read-heading.ts';
import { readTableElement } from './read-html-table.ts';
import { childNamed } from './read-image-element.ts';
import { imagesInLine, readFigure, readFigures } from './read-images.ts';
import { readListElement } from './read-list.ts';
import { readPre } from './read-pre.ts';
import { readTag } from './read-tag.ts';

/** The blocks for an element at the start of a block. Elements without a meaning are replaced by the blocks in them. */
export function readBlockElement(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const { name, items, line } = element;
  if (name.startsWith('%')) return readTag(element, ctx, depth);
  if (/^h[1-6]$/.test(name)) {
    const level = Number(name[1]);
    const options = { id: element.attributes.get('id'), align: alignOf(element), line };
    return [readHeading(level, items, options, ctx, depth)];
  }
  switch (name) {
    case 'details':
      return readDetails(element, ctx, depth);
    case 'figure':
      return [readFigure(element, ctx, depth) ?? ctx.blocks(items, depth)].flat();
    case 'p':
      return readParagraph(element, ctx, depth);
    case 'ul':
    case 'ol':
      return readListElement(element, ctx, depth);
    case 'blockquote':
      return readQuote(element, ctx, depth);
    case 'pre':
      return [readPre(element)];
    case 'hr':
      return [block('divider', { data: {} })];
    case 'table':
      return [...strayBlocks(element, ctx, depth), readTableElement(element, ctx, depth)];
    case 'iframe':
    case 'video':
      return readFrame(element, ctx, depth);
    default:
      return readTransparent(element, ctx, depth);
  }
}

function readDetails(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const summary = element.items.find((item) => item.kind === 'element' && item.name === 'summary');
  const title = summary?.kind === 'element' ? ctx.line(trimmedItems(summary.items), depth + 2) : [];
  const rest = element.items.filter((item) => item !== summary);
  const bodyRule = blockRules.expandable.fragments?.[1];
  const allowed = typeof bodyRule === 'object' ? bodyRule.allowed : [];
  const parent = { type: 'expandable' as const, allowed, line: element.line, report: ctx.report };
  const { inside, outside } = separate(parent, ctx.blocks(rest, depth + 2));
  const fragments = [
    fragment('expandable-title', [paragraph(title)]),
    fragment('expandable-body', inside.length > 0 ? inside : [paragraph()]),
  ];
  const data = element.attributes.has('open') ? { defaultExpanded: true } : {};
  return [block('expandable', { data, fragments }), ...outside];
}

function readParagraph(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  if (element.items.some((item) => holdsFlow(item) || (item.kind === 'element' && isBlockElement(item))))
    return readTransparent(element, ctx, depth);
  const align = alignOf(element);
  const line = ctx.line(trimmedItems(element.items), depth);
  const images = imagesInLine(line, ctx);
  return [aligned(images ?? paragraph(line), align)];
}

function readQuote(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const parent = { type: 'blockquote' as const, line: element.line, report: ctx.report };
  const blocks = ctx.blocks(element.items, depth + 1);
  return split(parent, blocks, (nodes) => block('blockquote', { data: {}, nodes }));
}

function readFrame(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const url = element.attributes.get('src') ?? childNamed(element, 'source')?.attributes.get('src');
  return url ? [block('embed', { data: { url } })] : ctx.blocks(element.items, depth);
}

function readTransparent(element: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const figures = readFigures(element, ctx, depth);
  if (figures) return [figures];
  const align = alignOf(element);
  return ctx.blocks(element.items, depth).map((each) => aligned(each, align));
}

/** Content of a table besides its rows, such as its caption, is moved before it. */
function strayBlocks(table: MarkupElement, ctx: ReadContext, depth: number): Block[] {
  const parts = ['thead', 'tbody', 'tfoot', 'tr', 'colgroup', 'col'];
  const stray = table.items.filter((item) => item.kind !== 'element' || !parts.includes(item.name));
  return ctx.blocks(stray, depth);
}

function alignOf({ name, attributes }: MarkupElement): TextAlignment | undefined {
  const align = name === 'center' ? 'center' : attributes.get('align')?.toLowerCase();
  return alignments.get(align ?? '');
}

const alignments: ReadonlyMap<string, TextAlignment> = new Map([
  ['left', 'start'],
  ['center', 'center'],
  ['right', 'end'],
]);
const imageAlignments = { start: 'left', center: 'center', end: 'right' } as const;

function aligned(node: Block, align: TextAlignment | undefined): Block {
  if (!align) return node;
  if (node.type === 'paragraph') return { ...node, data: { align } };
  if (node.type === 'images') return { ...node, data: { ...node.data, align: imageAlignments[align] } };
  return node;
}
