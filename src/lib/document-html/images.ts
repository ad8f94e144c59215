import type { MediaRef } from '../document/content-ref.ts';
import type { Block, BlockOf, Length } from '../document/document.ts';
import { type Html, html } from './html.ts';
import { pictureHtml } from './inlines.ts';
import { linkTo, type WebPrinting, webTarget } from './printing.ts';

/** Images with their captions, or a single image. An image that is not of the site is shown as a link to it. */
export function imagesHtml(
  printing: WebPrinting,
  block: BlockOf<'images'> | BlockOf<'image'> | { ref: MediaRef },
  inside: (blocks: readonly Block[]) => Html = () => html``,
): Html {
  if ('ref' in block) return html`<figure>${pictureOr(printing, block, '')}</figure>`;
  if (block.type === 'image') return figure(printing, block, inside);
  const { align = 'center', withFrame } = block.data;
  const classes = ['images', align, ...(withFrame ? ['framed'] : []), ...(block.nodes.length > 1 ? ['many'] : [])];
  return html`<div class="${classes.join(' ')}">${block.nodes.map((image) => figure(printing, image, inside))}</div>`;
}

function figure(
  printing: WebPrinting,
  { data, fragments }: BlockOf<'image'>,
  inside: (blocks: readonly Block[]) => Html,
) {
  const caption = fragments.flatMap(({ nodes }) => nodes);
  const picture = pictureOr(printing, data, data.alt ?? '', widthOf(data.width));
  return html`<figure>${picture}${caption.length > 0 && html`<figcaption>${inside(caption)}</figcaption>`}</figure>`;
}

function pictureOr(
  printing: WebPrinting,
  data: { ref: MediaRef; refDark?: MediaRef },
  alt: string,
  width?: string,
): Html {
  const picture = pictureHtml(printing, data, { alt, width });
  if (picture) return picture;
  const target = webTarget(printing, data.ref);
  return html`<p class="link-card image">${linkTo(printing, target?.url, alt || target?.label || 'Image')}</p>`;
}

/** Pixels or percents, as the attribute has them. */
function widthOf(width: Length | undefined): string | undefined {
  if (width === undefined) return undefined;
  const [value, unit] = typeof width === 'number' ? [width, 'px'] : [width.value, width.unit];
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (unit === '%') return `${Math.min(100, value)}%`;
  return unit === 'px' || unit === '' ? String(Math.round(value)) : undefined;
}
