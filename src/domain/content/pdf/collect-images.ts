import { buffer } from 'node:stream/consumers';
import type { PdfImage } from '../../../lib/pdf/source.ts';
import type { Context } from '../../../platform/context.ts';
import type { FileRow } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';

export type Images = Record<string, PdfImage>;

/**
 * Limits for all images of a PDF together, and for a single SVG image. For images beyond the limits, the PDF shows
 * their names.
 */
const MAX_BYTES = 40_000_000;
const MAX_SVG_BYTES = 500_000;
const MAX_PIXELS = 40_000_000;

const BITMAPS = ['image/png', 'image/jpeg'];

/** The images among the files that PDFs support: PNG, JPEG and SVG. */
export async function collectImages(ctx: Context, files: readonly FileRow[]): Promise<Images> {
  const images: Images = {};
  let left = MAX_BYTES;
  for (const file of files) {
    if (file.size > left || !isShown(file)) continue;
    const stored = await ctx.services.storage.read(toBytes(file.blob));
    if (!stored) continue;
    images[file.id] = imageOf(file, await buffer(stored));
    left -= file.size;
  }
  return images;
}

function isShown({ contentType, size, width, height }: FileRow): boolean {
  if (contentType === 'image/svg+xml') return size <= MAX_SVG_BYTES;
  return BITMAPS.includes(contentType) && width != null && height != null && width * height <= MAX_PIXELS;
}

function imageOf({ contentType, width, height }: FileRow, bytes: Buffer): PdfImage {
  const [known, high] = [width ?? 600, height ?? 400];
  if (contentType === 'image/svg+xml')
    return { kind: 'vector', svg: bytes.toString('utf8'), width: known, height: high };
  return {
    kind: 'bitmap',
    dataUrl: `data:${contentType};base64,${bytes.toString('base64')}`,
    width: known,
    height: high,
  };
}
