import { buffer } from 'node:stream/consumers';
import type { LeftOut, PdfImage } from '../../../lib/pdf/source.ts';
import type { Services } from '../../../platform/context/services.ts';
import type { FileRow } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';

/** Limits for a single SVG image, and for the pixels of a bitmap. */
const MAX_SVG_BYTES = 500_000;
const MAX_PIXELS = 40_000_000;

const SVG = 'image/svg+xml';
const BITMAPS = ['image/png', 'image/jpeg'];

/** The images that a PDF shows, and the numbers of the images that it replaces with links. */
export interface ChosenImages {
  files: FileRow[];
  leftOut: LeftOut;
}

/** Chooses the images among the files that PDFs can contain (PNG, JPEG and SVG), up to a number of bytes in all. */
export function chooseImages(files: readonly FileRow[], maxBytes: number): ChosenImages {
  const chosen: ChosenImages = { files: [], leftOut: { format: 0, size: 0, unreadable: 0, effort: 0 } };
  let remaining = maxBytes;
  for (const file of files) {
    if (!file.contentType.startsWith('image/')) continue;
    if (file.contentType !== SVG && !BITMAPS.includes(file.contentType)) chosen.leftOut.format += 1;
    else if (file.size > remaining || isTooLarge(file)) chosen.leftOut.size += 1;
    else {
      chosen.files.push(file);
      remaining -= file.size;
    }
  }
  return chosen;
}

export const isDrawing = ({ contentType }: FileRow) => contentType === SVG;

const isTooLarge = ({ contentType, size, width, height }: FileRow) =>
  contentType === SVG ? size > MAX_SVG_BYTES : (width ?? 0) * (height ?? 0) > MAX_PIXELS;

/** Reads an image. Undefined if the file is gone. */
export async function loadImage(
  { storage }: Services,
  { contentType, blob, width, height }: FileRow,
): Promise<PdfImage | undefined> {
  const stored = await storage.read(toBytes(blob));
  if (!stored) return undefined;
  const bytes = await buffer(stored);
  const size = { width: width ?? 600, height: height ?? 400 };
  return contentType === SVG
    ? { kind: 'vector', svg: bytes.toString('utf8'), ...size }
    : { kind: 'bitmap', base64: bytes.toString('base64'), ...size };
}
