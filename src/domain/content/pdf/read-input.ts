import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { walk } from '../../../lib/document/walk.ts';
import { destinationName } from '../../../lib/pdf/context.ts';
import { destinationsIn } from '../../../lib/pdf/definition.ts';
import { printableImage } from '../../../lib/pdf/printable-image.ts';
import { sanitizeSvg } from '../../../lib/pdf/sanitize-svg.ts';
import type { PdfBook, PdfImage, PdfPage } from '../../../lib/pdf/source.ts';
import type { PrintLine } from './print-lines.ts';
import { canOpen } from './sheet-printer.ts';

/** Input for printing a PDF. */
export interface PrintInput {
  book: PdfBook;
  furtherFonts: string[];
  pages: PrintPage[];
  destinations: Set<string>;
  /** Bitmaps by file id. */
  bitmaps: Record<string, Buffer>;
  /** Languages of the code blocks. */
  syntaxes: Set<string>;
}

/** A page whose body remains text until it is printed: all bodies at once would take too much memory. */
export interface PrintPage extends Pick<PdfPage, 'pageId' | 'parentId' | 'title' | 'emoji' | 'icon' | 'depth'> {
  load(): PdfPage;
}

/** Reads lines of JSON (`PrintLine`). */
export async function readInput(stream: Readable): Promise<PrintInput> {
  const input: Omit<PrintInput, 'book' | 'furtherFonts'> = {
    pages: [],
    destinations: new Set(),
    syntaxes: new Set(),
    bitmaps: {},
  };
  let unreadable = 0;
  const images: Record<string, PdfImage> = {};
  let head: Extract<PrintLine, { head: unknown }>['head'] | undefined;
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text) as PrintLine; // written by `printLines`
    if ('page' in line) addPage(input, line.page, text);
    else if ('image' in line) {
      const image = readImage(line.id, line.image, input.bitmaps);
      if (image) images[line.id] = image;
      else unreadable += 1;
    } else head = line.head;
  }
  if (!head) throw new Error('There is nothing to print.');
  const { furtherFonts, ...rest } = head;
  const leftOut = { ...rest.leftOut, unreadable };
  return { ...input, book: { ...rest, leftOut, images }, furtherFonts };
}

function addPage(
  { pages, destinations, syntaxes }: Omit<PrintInput, 'book' | 'furtherFonts'>,
  page: PdfPage,
  text: string,
) {
  const { body, ...listed } = page;
  const { pageId } = page;
  const bytes = Buffer.from(text);
  pages.push({ ...listed, load: () => (JSON.parse(bytes.toString()) as { page: PdfPage }).page });
  destinations.add(destinationName(pageId));
  if (!body) return;
  for (const name of destinationsIn(pageId, body)) destinations.add(name);
  for (const syntax of syntaxesIn(body)) syntaxes.add(syntax);
}

function syntaxesIn(body: JSONDocument): string[] {
  const syntaxes: string[] = [];
  walk(body, (node) => {
    if (node.object === 'block' && node.type === 'code' && node.data.syntax) syntaxes.push(node.data.syntax);
  });
  return syntaxes;
}

/**
 * Undefined for images that cannot be read or are too complex. The bytes of a bitmap are outside of the JavaScript
 * heap.
 */
function readImage(id: string, image: PdfImage, bitmaps: Record<string, Buffer>): PdfImage | undefined {
  if (image.kind === 'vector') {
    const svg = sanitizeSvg(image.svg);
    return svg === undefined ? undefined : { ...image, svg };
  }
  const bytes = printableImage(Buffer.from(image.base64, 'base64'));
  if (!bytes || !canOpen(Buffer.from(bytes))) return undefined;
  bitmaps[id] = Buffer.from(bytes);
  return { ...image, base64: '' };
}
