import { headingId, isHeading } from './anchors.ts';
import { block, fragmentNamed, paragraph, refillFragment } from './build.ts';
import type { Block, BlockOf, Fragment, Inline, InlineOf, JSONDocument, Length } from './document.ts';
import { tidyEmojiCode } from './emoji.ts';
import { documentOf, isEmptyParagraph } from './empty.ts';
import { normalizeTable } from './normalize-table.ts';
import { tidyPhrasing } from './tidy-phrasing.ts';

/**
 * Normalizes a document to the form that Markdown can express, so that parsing the printed Markdown returns the same
 * document. The content stays the same, but not every detail: adjacent texts are joined and marks are ordered; emoji
 * become inlines; line breaks in code marks and marks in code blocks are removed; empty lists and image blocks are
 * removed, other empty containers get an empty paragraph; lists start at an integer, only items of task lists have
 * checks, and these start with a plain paragraph; titles of expandables have no alignment; table records are ordered by
 * position, and empty cells, roles of undefined columns and merges of single cells are removed; empty `alt`, caption
 * and `syntax` texts are removed. Remaining nodes keep their keys. The caller assigns anchors and the keys of new
 * nodes.
 */
export function normalizeDocument(document: JSONDocument): JSONDocument {
  const nodes = tidyBlocks(document.nodes);
  const [only] = nodes;
  return documentOf(nodes.length === 1 && only && isEmptyParagraph(only) ? [] : nodes);
}

export function tidyBlocks(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((each) => tidyBlock(each));
}

/** Children of a block that must not be empty: an empty container gets an empty paragraph. */
function tidyBody(blocks: readonly Block[]): Block[] {
  const nodes = tidyBlocks(blocks);
  return nodes.length > 0 ? nodes : [paragraph()];
}

function tidyBlock(original: Block): Block[] {
  const node = tidyAnchors(original);
  switch (node.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [{ ...node, nodes: tidyPhrasing(node.nodes, 'block', tidyInline) }];
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return tidyList(node);
    case 'code':
      return [{ ...node, data: codeData(node), nodes: tidyCode(node) }];
    case 'images':
      return node.nodes.length > 0 ? [{ ...node, nodes: node.nodes.map(tidyImage) }] : [];
    case 'expandable':
      return [tidyExpandable(node)];
    case 'table':
      return [normalizeTable(node, tidyBody)];
    default:
      return [tidyContainer(node)];
  }
}

/** Each anchor once. The first one that can be the id of a heading is its id. */
function tidyAnchors(node: Block): Block {
  if (!node.anchors) return node;
  const { anchors, ...plain } = node;
  const id = isHeading(plain) ? (plain.data.id ?? headingId(anchors)) : undefined;
  const others = [...new Set(anchors)].filter((anchor) => anchor !== id);
  const tidy = id !== undefined && isHeading(plain) ? { ...plain, data: { ...plain.data, id } } : plain;
  return others.length > 0 ? { ...tidy, anchors: others } : tidy;
}

function tidyContainer(node: Block): Block {
  switch (node.type) {
    case 'blockquote':
    case 'hint':
    case 'if':
      return { ...node, nodes: tidyBody(node.nodes) };
    case 'tabs':
      return { ...node, nodes: node.nodes.map((item) => ({ ...item, nodes: tidyBody(item.nodes) })) };
    case 'stepper':
      return { ...node, nodes: node.nodes.map((item) => ({ ...item, nodes: tidyBody(item.nodes) })) };
    case 'updates':
      return { ...node, nodes: node.nodes.map((item) => ({ ...item, nodes: tidyBody(item.nodes) })) };
    case 'columns':
      return { ...node, nodes: node.nodes.map(tidyColumn) };
    default:
      return node;
  }
}

type List = BlockOf<'list-ordered'> | BlockOf<'list-unordered'> | BlockOf<'list-tasks'>;

/** Items of task lists have a check and start with a plain paragraph (GFM). Other items have no check. */
function tidyList(list: List): Block[] {
  if (list.nodes.length === 0) return [];
  const isTasks = list.type === 'list-tasks';
  const nodes = list.nodes.map((item) => {
    const body = tidyBody(item.nodes);
    const [first] = body;
    if (isTasks && (first?.type !== 'paragraph' || first.data.align)) body.unshift(paragraph());
    return { ...item, data: isTasks ? { checked: item.data.checked === true } : {}, nodes: body };
  });
  if (list.type === 'list-ordered') return [{ ...list, data: startData(list.data.start, nodes.length), nodes }];
  return [{ ...list, nodes }];
}

/** Ordered lists in Markdown start at an integer of up to nine digits, by default at one. */
function startData(start: number | undefined, count: number): { start?: number } {
  if (start === undefined || !Number.isInteger(start)) return {};
  return start === 1 || start < 0 || start + count > 999_999_999 ? {} : { start };
}

function codeData({ data: { syntax, ...data } }: BlockOf<'code'>): BlockOf<'code'>['data'] {
  return syntax ? { syntax, ...data } : data;
}

function tidyCode(code: BlockOf<'code'>): BlockOf<'code-line'>[] {
  const lines = code.nodes.flatMap((line) => {
    const nodes = tidyPhrasing(line.nodes, 'code', tidyInline);
    const [only] = nodes;
    if (nodes.length > 1 || only?.object !== 'text') return [{ ...line, nodes }];
    return splitLine(line, only.leaves[0]?.text ?? '');
  });
  return lines.length > 0 ? lines : [block('code-line', { data: {}, nodes: tidyPhrasing([], 'code', tidyInline) })];
}

function splitLine(line: BlockOf<'code-line'>, value: string): BlockOf<'code-line'>[] {
  return value.split('\n').map((part, i) => {
    const nodes = [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text: part, marks: [] }] }];
    if (i > 0) return block('code-line', { data: line.data, nodes });
    const key = line.nodes[0]?.key;
    return { ...line, nodes: key === undefined ? nodes : [{ ...nodes[0], key }] } as BlockOf<'code-line'>; // a single text
  });
}

function tidyImage(image: BlockOf<'image'>): BlockOf<'image'> {
  const { alt, width, height, ...rest } = image.data;
  const data: BlockOf<'image'>['data'] = { ...rest };
  if (alt) data.alt = alt;
  if (width !== undefined) data.width = tidyLength(width);
  if (height !== undefined) data.height = tidyLength(height);
  const caption = fragmentNamed(image.fragments, 'caption');
  const nodes = caption ? tidyBlocks(caption.nodes) : [];
  const isEmpty = nodes.every(isEmptyParagraph);
  return { ...image, data, fragments: isEmpty ? [] : [refillFragment(caption, 'caption', nodes)] };
}

function tidyExpandable(node: BlockOf<'expandable'>): Block {
  const part = (name: string, tidy: (blocks: Block[]) => Block[]): Fragment => {
    const existing = fragmentNamed(node.fragments, name);
    return refillFragment(existing, name, tidy(existing?.nodes ?? []));
  };
  const title = part('expandable-title', ([first]) => {
    if (first?.type !== 'paragraph') return [paragraph()];
    return [{ ...first, data: {}, nodes: tidyPhrasing(first.nodes, 'block', tidyInline) }];
  });
  return { ...node, fragments: [title, part('expandable-body', tidyBody)] };
}

function tidyColumn(column: BlockOf<'column'>): BlockOf<'column'> {
  const { width, ...rest } = column.data;
  const data = width === undefined ? rest : { ...rest, width: tidyLength(width) };
  return { ...column, data, nodes: tidyBody(column.nodes) };
}

function tidyLength(length: Length): Length {
  return typeof length === 'object' && length.unit === '' ? length.value : length;
}

function tidyInline(node: Inline): Inline {
  switch (node.type) {
    case 'link':
      return { ...node, nodes: tidyPhrasing(node.nodes, 'link', tidyInline) };
    case 'annotation':
      return tidyAnnotation(node);
    case 'emoji':
      return { ...node, data: { code: tidyEmojiCode(node.data.code) } };
    case 'inline-image':
      return tidyInlineImage(node);
    default:
      return node;
  }
}

function tidyAnnotation(node: InlineOf<'annotation'>): Inline {
  const body = fragmentNamed(node.fragments, 'annotation-body');
  const nodes = tidyPhrasing(node.nodes, 'annotation', tidyInline);
  return { ...node, nodes, fragments: [refillFragment(body, 'annotation-body', tidyBody(body?.nodes ?? []))] };
}

function tidyInlineImage(node: InlineOf<'inline-image'>): Inline {
  const { alt, caption, ...data } = node.data;
  return { ...node, data: { ...data, ...(alt && { alt }), ...(caption && { caption }) } };
}
