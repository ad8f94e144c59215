import { isHeading } from '../../anchors.ts';
import type { Block, BlockOf, BlockType, Phrasing } from '../../document.ts';
import { isEmptyParagraph } from '../../empty.ts';
import { allowedBlocks, topLevels } from '../../node-rules.ts';
import { textOfLine } from '../../plain-text.ts';
import { writeAnchors } from '../anchors.ts';
import { isSpace } from '../read/items.ts';
import { quoteLines } from './layout.ts';
import type { WriteContext } from './write-context.ts';
import { headingLevel, writeHtmlBlock } from './write-html-blocks.ts';
import { writeAttribute } from './write-image-tag.ts';
import { writeImages } from './write-images.ts';
import { writeLeafBlock } from './write-leaf-block.ts';
import { writeHeadingLine, writeParagraph } from './write-line.ts';
import { isList, type Marker, markerOf, writeList } from './write-list.ts';
import { writePanel } from './write-panel.ts';
import { writeTable } from './write-table.ts';

/** The context of printed blocks. */
interface BlockPlace {
  /** Types that the parent may contain: an image on its own line is only an image block where these are allowed. */
  allowed: readonly BlockType[];
  /** In a list item: the marker of the list, and whether blocks follow each other without empty lines. */
  item?: { marker: Marker; isTight: boolean };
}

/** Blocks of a document, of a fragment, or of any parent that allows the same blocks. */
export function writeBlocks(
  blocks: readonly Block[],
  ctx: WriteContext,
  place: BlockPlace = { allowed: topLevels },
): string {
  const [only, ...others] = blocks;
  if (only && others.length === 0 && isPlainEmpty(only)) return '';
  const parts: string[] = [];
  let previous: Marker | undefined;
  for (const [i, block] of blocks.entries()) {
    const outer = i === 0 ? place.item?.marker : undefined;
    const marker: Marker | undefined = isList(block) ? markerOf(block, previous, outer, ctx.style) : undefined;
    if (block.anchors && !hasLine(block)) parts.push(writeAnchors(block));
    parts.push(writeBlock(block, ctx, place.allowed, marker, i === 0 && place.item !== undefined));
    previous = marker;
  }
  return parts.join(place.item?.isTight ? '\n' : '\n\n');
}

function writeBlock(
  node: Block,
  ctx: WriteContext,
  allowed: readonly BlockType[],
  marker: Marker | undefined,
  isFirstInItem: boolean,
): string {
  if (isHeading(node)) return writeHeading(node, ctx);
  if (isList(node)) {
    const list = marker ?? '*';
    return writeList(node, list, (nodes, isTight) => {
      return writeBlocks(nodes, ctx, { allowed: allowedBlocks('list-item') ?? [], item: { marker: list, isTight } });
    });
  }
  switch (node.type) {
    case 'paragraph':
      return writeTextBlock(node, ctx, allowed);
    case 'divider':
      return isFirstInItem ? '___' : '***';
    case 'blockquote':
      return quoteLines(writeBlocks(node.nodes, ctx, { allowed: allowedBlocks('blockquote') ?? [] }));
    case 'images':
      return writeImages(node, ctx);
    case 'table':
      return writeTable(node, ctx);
    default:
      return writePanel(node, ctx, (nodes, type) => writeInside(nodes, ctx, type)) ?? writeLeafBlock(node, ctx);
  }
}

/** Whether the anchors of a block are part of its line. */
const hasLine = (node: Block): boolean => node.type === 'paragraph' || isHeading(node);

function writeInside(nodes: readonly Block[], ctx: WriteContext, type: BlockType): string {
  return writeBlocks(nodes, ctx, { allowed: allowedBlocks(type) ?? topLevels });
}

/** `## Title <a href="#id" id="id"></a>`: the anchor works in other readers as well. */
function writeHeading(node: Extract<Block, { type: `heading-${string}` }>, ctx: WriteContext): string {
  const { id, align } = node.data;
  if (align) return writeHtmlBlock(node, ctx);
  const anchor = id === undefined ? '' : `<a${writeAttribute('href', `#${id}`)}${writeAttribute('id', id)}></a>`;
  const hashes = '#'.repeat(headingLevel(node, ctx));
  return [hashes, writeHeadingLine(node.nodes, ctx), anchor + writeAnchors(node)].filter(Boolean).join(' ');
}

function writeTextBlock(node: BlockOf<'paragraph'>, ctx: WriteContext, allowed: readonly BlockType[]): string {
  if (node.data.align || isEmptyLine(node)) return writeHtmlBlock(node, ctx);
  if (!isOnlyImages(node)) return writeAnchors(node) + writeParagraph(node.nodes, ctx);
  const [image, ...others] = node.nodes;
  const isAlone = others.length === 0 && image?.object === 'inline' && !allowed.includes('images');
  const line = isAlone ? writeParagraph(node.nodes, ctx) : '';
  return line.startsWith('!') && !node.anchors ? line : writeHtmlBlock(node, ctx);
}

const isEmptyLine = ({ anchors: _, ...node }: BlockOf<'paragraph'>): boolean => isPlainEmpty(node);

function isPlainEmpty(node: Block): boolean {
  return node.type === 'paragraph' && !node.data.align && isEmptyParagraph(node);
}

/** A line that would be read as an image block. */
function isOnlyImages({ nodes }: BlockOf<'paragraph'>): boolean {
  const isImage = (each: Phrasing): boolean => each.object === 'inline' && each.type === 'inline-image';
  return nodes.some(isImage) && nodes.every((each) => isImage(each) || isSpace(textOfLine([each])));
}
