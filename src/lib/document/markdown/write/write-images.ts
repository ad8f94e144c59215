import type { BlockOf } from '../../document.ts';
import { linkDestination } from './destination.ts';
import { escapeMarkdown } from './escape.ts';
import type { WriteContext } from './write-context.ts';
import { writeFigures } from './write-html-blocks.ts';

/** `![alt](src)` if that is complete, otherwise figures. */
export function writeImages(node: BlockOf<'images'>, ctx: WriteContext): string {
  if (Object.keys(node.data).length === 0 && node.nodes.every(isPlain)) {
    return node.nodes.map((image) => plainImage(image, ctx)).join(' ');
  }
  return writeFigures(node, ctx);
}

function isPlain({ data, fragments }: BlockOf<'image'>): boolean {
  const { refDark, width, height, alt = '' } = data;
  const isSized = width !== undefined || height !== undefined;
  return fragments.length === 0 && !refDark && !isSized && !/\n|^\s|\s$/.test(alt);
}

function plainImage({ data: { ref, alt = '' } }: BlockOf<'image'>, ctx: WriteContext): string {
  const place = { before: '[', after: ']', inLink: true, inCell: false, isAlt: true };
  return `![${escapeMarkdown(alt, place)}](${linkDestination(ctx.urlOf(ref), false)})`;
}
