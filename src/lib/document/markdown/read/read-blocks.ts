import type { Paragraph, RootContent } from 'mdast';
import { block, paragraph } from '../../build.ts';
import type { Block } from '../../document.ts';
import { anchorSetBy } from '../anchors.ts';
import { split } from './fit.ts';
import { flatItems } from './flat-items.ts';
import { isBlockElement } from './html-names.ts';
import type { Item } from './item.ts';
import { holdsFlow, isBlank, isPhrasing, isSpace, itemLine, itemsOf, trimmedItems } from './items.ts';
import { readBlockElement } from './read-block-element.ts';
import { readCode } from './read-code.ts';
import { type ReadContext, readWithAnchors, withAnchors } from './read-context.ts';
import { readHeading } from './read-heading.ts';
import { imagesInLine } from './read-images.ts';
import { readList } from './read-list.ts';
import { readTable } from './read-table.ts';

/** Deeper containers are replaced by their content, so that it stays within the 64 levels of documents. */
const MAX_CONTAINER_DEPTH = 46;

/** Blocks for sibling items, of any type. The parent fits them. Anchors between blocks belong to the next one. */
export function readBlocks(items: readonly Item[], ctx: ReadContext, depth: number): Block[] {
  const blocks: Block[] = [];
  let anchors: string[] = [];
  for (const part of partsOf(depth > MAX_CONTAINER_DEPTH ? flatItems(items, ctx.report) : items)) {
    const [item] = part;
    const alone = loneAnchors(item, ctx);
    if (alone) {
      anchors.push(...alone);
      continue;
    }
    const outer = ctx.anchors;
    ctx.anchors = [];
    const own = isHeading(item) ? [] : anchors;
    const read = readWithAnchors(ctx, own, () =>
      isLinePart(item) ? readRun(part, ctx, depth) : readItem(item, ctx, depth, isHeading(item) ? anchors : []),
    );
    anchors = ctx.anchors;
    ctx.anchors = outer;
    for (const each of read) blocks.push(each);
  }
  const last = blocks.at(-1);
  if (last) blocks[blocks.length - 1] = withAnchors(last, anchors);
  else for (const anchor of anchors) ctx.anchors.push(anchor);
  return blocks;
}

/** Single items, and groups of items that form one paragraph: parts of a line from the same HTML block. */
function partsOf(items: readonly Item[]): [Item, ...Item[]][] {
  const parts: [Item, ...Item[]][] = [];
  for (const item of items) {
    const last = parts.at(-1);
    const goesOn = last && isLinePart(last[0]) && isLinePart(item) && itemLine(last[0]) === itemLine(item);
    if (goesOn) last.push(item);
    else parts.push([item]);
  }
  return parts;
}

function isHeading(item: Item): boolean {
  return item.kind === 'node' && item.node.type === 'heading';
}

/** The anchors of a paragraph that only consists of them. */
export function loneAnchors(item: Item, ctx: ReadContext): string[] | undefined {
  if (item.kind !== 'node' || item.node.type !== 'paragraph') return undefined;
  if (item.node.children[0]?.type !== 'html') return undefined;
  const anchors: string[] = [];
  for (const child of itemsOf(item.node.children, ctx.report, false)) {
    const anchor = child.kind === 'element' ? anchorSetBy(child) : undefined;
    if (anchor !== undefined) anchors.push(anchor);
    else if (!isSpaceItem(child)) return undefined;
  }
  return anchors.length > 0 ? anchors : undefined;
}

function isSpaceItem(item: Item): boolean {
  if (item.kind === 'node') return item.node.type === 'text' && isSpace(item.node.value);
  return isBlank(item);
}

/** Text and inlines between blocks form a paragraph together. */
function isLinePart(item: Item): boolean {
  if (item.kind === 'node') return isPhrasing(item);
  return item.kind === 'text' || (!isBlockElement(item) && !holdsFlow(item));
}

function readRun(run: readonly Item[], ctx: ReadContext, depth: number): Block[] {
  if (run.every(isBlank)) return [];
  const line = ctx.line(trimmedItems(run), depth);
  if (line.length === 0) return [];
  return [imagesInLine(line, ctx) ?? paragraph(line)];
}

function readItem(item: Item, ctx: ReadContext, depth: number, anchors: readonly string[]): Block[] {
  if (item.kind === 'node' && item.node.type === 'heading') {
    const items = itemsOf(item.node.children, ctx.report, false);
    return [readHeading(item.node.depth, items, { ids: anchors, line: itemLine(item) }, ctx, depth)];
  }
  if (item.kind === 'node') return readNode(item.node, ctx, depth);
  return item.kind === 'element' ? readBlockElement(item, ctx, depth) : [];
}

function readNode(node: RootContent, ctx: ReadContext, depth: number): Block[] {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node, ctx, depth);
    case 'list':
      return readList(node, ctx, depth);
    case 'blockquote': {
      const parent = { type: 'blockquote' as const, line: itemLine({ kind: 'node', node }), report: ctx.report };
      const blocks = ctx.blocksOf(node.children, depth + 1);
      return split(parent, blocks, (nodes) => block('blockquote', { data: {}, nodes }));
    }
    case 'code':
      return [readCode(node, ctx, depth)];
    case 'math':
      return [block('math', { data: { formula: node.value } })];
    case 'table':
      return [readTable(node, ctx, depth)];
    case 'thematicBreak':
      return [block('divider', { data: {} })];
    case 'definition':
    case 'footnoteDefinition':
      return [];
    default:
      return [paragraph(ctx.lineOf([node], depth))];
  }
}

function readParagraph(node: Paragraph, ctx: ReadContext, depth: number): Block[] {
  const line = ctx.lineOf(node.children, depth);
  return [imagesInLine(line, ctx) ?? paragraph(line)];
}
