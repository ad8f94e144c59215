import { inline } from '../build.ts';
import type { InlineOf, Phrasing } from '../document.ts';
import type { Element } from './items.ts';
import { parseLength } from './length.ts';
import type { ReadContext } from './read-context.ts';

/** An `<img>` as an inline; `data-size` says that it stays one even where it stands alone. */
export function imageElement({ attributes }: Element, ctx: ReadContext): InlineOf<'inline-image'> {
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

/** A `<picture>`: its `<img>`, dark where a source is for the dark color scheme. */
export function pictureElement(element: Element, ctx: ReadContext): Phrasing[] {
  const img = childNamed(element, 'img');
  if (!img) return [];
  const image = imageElement(img, ctx);
  const dark = childNamed(element, 'source', ({ attributes }) => /dark/.test(attributes.get('media') ?? ''));
  const source = dark?.attributes.get('srcset');
  if (source !== undefined) image.data.refDark = ctx.mediaOf(source);
  return [image];
}

/** The first element of that name below, in reading order. */
export function childNamed(
  element: Element,
  name: string,
  fits: (child: Element) => boolean = () => true,
): Element | undefined {
  for (const item of element.items) {
    if (item.kind !== 'element') continue;
    if (item.name === name && fits(item)) return item;
    const below = childNamed(item, name, fits);
    if (below) return below;
  }
  return undefined;
}
