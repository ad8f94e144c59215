import { block, fragment, paragraph } from '../../build.ts';
import type { BlockOf, Blocks, InlineOf, Phrasing } from '../../document.ts';
import { isEmptyParagraph } from '../../empty.ts';
import { textOfLine } from '../../plain-text.ts';
import type { Item, MarkupElement } from './item.ts';
import { isBlank, isSpace } from './items.ts';
import type { ReadContext } from './read-context.ts';
import { imageElement, pictureElement } from './read-image-element.ts';

type ImagesData = Blocks['images']['data'];

/** An image block for a line that only consists of images; undefined for any other line. */
export function imagesInLine(line: readonly Phrasing[], ctx: ReadContext): BlockOf<'images'> | undefined {
  const images: InlineOf<'inline-image'>[] = [];
  for (const node of line) {
    if (node.object === 'text' && isSpace(textOfLine([node]))) continue;
    if (node.object !== 'inline' || node.type !== 'inline-image' || ctx.keptInline.has(node)) return undefined;
    images.push(node);
  }
  if (images.length === 0) return undefined;
  return block('images', { data: {}, nodes: images.map((image) => imageBlock(image, ctx)) });
}

/** `<figure>` with an image and an optional caption; undefined without an image. */
export function readFigure(element: MarkupElement, ctx: ReadContext, depth: number): BlockOf<'images'> | undefined {
  const image = figureImage(element, ctx, depth);
  return image && block('images', { data: imagesData(element), nodes: [image] });
}

/** A `<div>` that only consists of figures and images; undefined for any other. */
export function readFigures(element: MarkupElement, ctx: ReadContext, depth: number): BlockOf<'images'> | undefined {
  const nodes: BlockOf<'image'>[] = [];
  for (const item of element.items) {
    if (isBlank(item)) continue;
    const image = item.kind === 'element' ? figureImage(item, ctx, depth) : undefined;
    if (!image) return undefined;
    nodes.push(image);
  }
  return nodes.length > 0 ? block('images', { data: imagesData(element), nodes }) : undefined;
}

/** The image of an element that contains nothing else but a caption. */
function figureImage(element: MarkupElement, ctx: ReadContext, depth: number): BlockOf<'image'> | undefined {
  if (element.name !== 'figure') return imageOf(element, ctx);
  const [first, caption, ...others] = element.items.filter((item) => !isBlank(item));
  if (first?.kind !== 'element' || others.length > 0) return undefined;
  const image = imageOf(first, ctx);
  if (!caption || !image) return image;
  if (caption.kind !== 'element' || caption.name !== 'figcaption') return undefined;
  const paragraphs = captionOf(caption.items, ctx, depth);
  return paragraphs.length > 0 ? { ...image, fragments: [fragment('caption', paragraphs)] } : image;
}

function imageOf(element: MarkupElement, ctx: ReadContext): BlockOf<'image'> | undefined {
  if (element.name === 'img') return imageBlock(imageElement(element, ctx), ctx);
  const image = element.name === 'picture' ? pictureElement(element, ctx) : undefined;
  return image && imageBlock(image, ctx);
}

/** Captions only contain paragraphs. Other blocks are read as one line. */
function captionOf(items: readonly Item[], ctx: ReadContext, depth: number): BlockOf<'paragraph'>[] {
  const blocks = ctx.blocks(items, depth + 3);
  const paragraphs = blocks.filter((each) => each.type === 'paragraph');
  if (paragraphs.length < blocks.length) return [paragraph(ctx.line(items, depth + 3))];
  return paragraphs.every(isEmptyParagraph) ? [] : paragraphs;
}

function imageBlock(image: InlineOf<'inline-image'>, ctx: ReadContext): BlockOf<'image'> {
  const { ref, refDark, caption, alt } = image.data;
  return block('image', {
    data: { ref, ...(refDark && { refDark }), ...ctx.imageLengths.get(image), ...(alt && { alt }) },
    fragments: caption ? [fragment('caption', [paragraph(caption)])] : [],
  });
}

function imagesData({ attributes }: MarkupElement): ImagesData {
  const align = attributes.get('align');
  const frame = attributes.get('data-with-frame');
  const fullWidth = attributes.get('data-full-width');
  return {
    ...((align === 'left' || align === 'center' || align === 'right') && { align }),
    ...(fullWidth !== undefined && { fullWidth: fullWidth !== 'false' }),
    ...(frame !== undefined && { withFrame: frame !== 'false' }),
  };
}
