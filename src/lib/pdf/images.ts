import type { ContentImage, ContentSvg } from 'pdfmake/interfaces.d.ts';
import type { BlockOf, Length } from '../document/document.ts';
import type { PdfPrinting } from './context.ts';

/** Maximum height, so that the caption fits onto the same page. */
const MAX_HEIGHT = 560;

/** Points per CSS pixel. */
const POINTS_PER_PIXEL = 0.75;

/** An image in its given or natural size, scaled down to fit the page; undefined if it is not available. */
export function imageContent(
  { source, width: available }: PdfPrinting,
  { ref, width }: BlockOf<'image'>['data'],
): ContentImage | ContentSvg | undefined {
  const image = ref.kind === 'file' ? source.images[ref.file] : undefined;
  if (!image || ref.kind !== 'file') return undefined;
  const scale =
    Math.min(wantedWidth(width, available) ?? image.width * POINTS_PER_PIXEL, available) / Math.max(1, image.width);
  const fit: [number, number] = [image.width * scale, Math.min(MAX_HEIGHT, image.height * scale)];
  return image.kind === 'bitmap' ? { image: ref.file, fit } : { svg: image.svg, fit };
}

/** A width in pixels or percent; undefined for other units. */
function wantedWidth(width: Length | undefined, available: number): number | undefined {
  if (width === undefined) return undefined;
  if (typeof width === 'number') return width > 0 ? width * POINTS_PER_PIXEL : undefined;
  if (!(width.value > 0)) return undefined;
  if (width.unit === '%') return (available * width.value) / 100;
  return width.unit === 'px' || width.unit === '' ? width.value * POINTS_PER_PIXEL : undefined;
}
