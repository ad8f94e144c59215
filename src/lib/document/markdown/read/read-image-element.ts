import { inline } from '../../build.ts';
import type { InlineOf } from '../../document.ts';
import { parseLength } from '../attribute-values.ts';
import type { MarkupElement } from './item.ts';
import { isBlank } from './items.ts';
import type { ReadContext } from './read-context.ts';

/** An `<img>` as an inline. With `data-size` it stays one even if it is the only content of a paragraph. */
export function imageElement({ attributes }: MarkupElement, ctx: ReadContext): InlineOf<'inline-image'> {
  const alt = attributes.get('alt');
  const caption = attributes.get('data-caption') ?? attributes.get('title');
  const dark = attributes.get('data-dark-src');
  const size = attributes.get('data-size');
  const image = inline('inline-image', {
    data: {
      ref: ctx.mediaOf(attributes.get('src') ?? ''),
      ...(dark !== undefined && { refDark: ctx.mediaOf(dark) }),
      ...(caption && { caption }),
      ...(alt && { alt }),
      ...((size === 'original' || size === 'line') && { size }),
    },
  });
  if (size !== undefined) ctx.keptInline.add(image);
  const width = parseLength(attributes.get('width'));
  const height = parseLength(attributes.get('height'));
  ctx.imageLengths.set(image, { ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
  return image;
}

/**
 * A `<picture>` with one `<img>`, and a dark variant if a source has the dark color scheme; undefined if it contains
 * more.
 */
export function pictureElement(element: MarkupElement, ctx: ReadContext): InlineOf<'inline-image'> | undefined {
  const parts = element.items.filter((item) => !isBlank(item));
  const images = parts.filter((item) => item.kind === 'element' && item.name === 'img');
  const sources = parts.filter((item) => item.kind === 'element' && item.name === 'source');
  const [img] = images;
  if (img?.kind !== 'element' || images.length > 1 || images.length + sources.length < parts.length) return undefined;
  const image = imageElement(img, ctx);
  for (const source of sources) {
    const { attributes } = source.kind === 'element' ? source : img;
    const url = /dark/.test(attributes.get('media') ?? '') ? attributes.get('srcset') : undefined;
    if (url !== undefined) image.data.refDark = ctx.mediaOf(url);
  }
  return image;
}

/** The first descendant element with this name, in reading order. */
export function childNamed(element: MarkupElement, name: string): MarkupElement | undefined {
  for (const item of element.items) {
    if (item.kind !== 'element') continue;
    const descendant = item.name === name ? item : childNamed(item, name);
    if (descendant) return descendant;
  }
  return undefined;
}
