import type { PdfImage, PdfPage, PdfSource } from '../../../lib/pdf/source.ts';
import type { CollectedPdf } from './collect-pdf.ts';

/** A line of input for the printing process. */
export type PrintLine =
  | { head: Omit<PdfSource, 'pages' | 'images'> & { furtherFonts: string[] } }
  | { page: PdfPage }
  | { id: string; image: PdfImage };

/** Serializes a PDF line by line, so that no step blocks the event loop for long. */
export function* printLines(
  { pages, images, ...rest }: CollectedPdf,
  furtherFonts: string[],
): Generator<string, void, undefined> {
  yield lineOf({ head: { ...rest, furtherFonts } });
  for (const { bodyJson, ...page } of pages) {
    const text = JSON.stringify(page);
    yield bodyJson === undefined ? `{"page":${text}}\n` : `{"page":${text.slice(0, -1)},"body":${bodyJson}}}\n`;
  }
  for (const [id, image] of Object.entries(images)) yield lineOf({ id, image });
}

const lineOf = (line: PrintLine) => `${JSON.stringify(line)}\n`;
