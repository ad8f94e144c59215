import type { PdfImage, PdfPage, PdfSource } from '../../../lib/pdf/source.ts';
import type { Services } from '../../../platform/context/services.ts';
import { loadImage } from './collect-images.ts';
import type { CollectedPdf } from './collect-pdf.ts';

/** A line of input for the printing process. */
export type PrintLine =
  | { head: Omit<PdfSource, 'pages' | 'images'> & { furtherFonts: string[] } }
  | { page: PdfPage }
  | { id: string; image: PdfImage };

/**
 * Serializes a PDF line by line, so that no step blocks the event loop for long, and one image at a time is in memory.
 */
export async function* printLines(
  services: Services,
  { pages, images, ...rest }: CollectedPdf,
): AsyncGenerator<string> {
  const { pdfFonts: furtherFonts } = services.config;
  yield lineOf({ head: { ...rest, leftOut: images.leftOut, furtherFonts } });
  for (const { bodyJson, ...page } of pages) {
    const text = JSON.stringify(page);
    yield bodyJson === undefined ? `{"page":${text}}\n` : `{"page":${text.slice(0, -1)},"body":${bodyJson}}}\n`;
  }
  for (const file of images.files) {
    const image = await loadImage(services, file);
    if (image) yield lineOf({ id: file.id, image });
  }
}

const lineOf = (line: PrintLine) => `${JSON.stringify(line)}\n`;
