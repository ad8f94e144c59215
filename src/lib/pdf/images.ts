import type { ContentImage, ContentSvg } from 'pdfmake/interfaces.d.ts';
import type { BlockOf } from '../document/document.ts';
import type { Printing } from './context.ts';
import { WIDTH } from './styles.ts';

/** Maximum height, so that the caption fits onto the same page. */
const MAX_HEIGHT = 560;

/** Points per CSS pixel. */
const POINTS = 0.75;

/** An image in its given or natural size, scaled down to fit the page; undefined if it is not available. */
export function imageContent(
  { source }: Printing,
  { ref, width }: BlockOf<'image'>['data'],
): ContentImage | ContentSvg | undefined {
  const image = ref.kind === 'file' ? source.images[ref.file] : undefined;
  if (!image || ref.kind !== 'file') return undefined;
  const wanted = typeof width === 'number' ? width * POINTS : image.width * POINTS;
  const scale = Math.min(wanted, WIDTH) / Math.max(1, image.width);
  const fit: [number, number] = [image.width * scale, Math.min(MAX_HEIGHT, image.height * scale)];
  return image.kind === 'bitmap' ? { image: ref.file, fit } : { svg: image.svg, fit };
}
