import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import * as fontkit from 'fontkit';
import pdfmake from 'pdfmake';
import { pdfDefinition } from '../../../lib/pdf/definition.ts';
import type { FontFamily } from '../../../lib/pdf/fonts.ts';
import { sanitizeSvg } from '../../../lib/pdf/sanitize-svg.ts';
import type { PdfImage, PdfPage, PdfSource } from '../../../lib/pdf/source.ts';
import { type FontFiles, fontFilesWith, type NamedFonts } from './font-files.ts';
import type { PrintLine } from './print-lines.ts';

/*
 * Runs as a separate process that can only read code and fonts, because neither the content nor the libraries that
 * print it are trusted. Reads lines of JSON (`PrintLine`) and writes the PDF.
 */

function familyIn({ name, files }: NamedFonts): FontFamily {
  const opened = fontkit.openSync(files.normal);
  const font = 'fonts' in opened ? opened.fonts[0] : opened;
  const known = new Map<number, boolean>();
  const look = (codePoint: number) => font?.hasGlyphForCodePoint(codePoint) ?? false;
  return {
    name,
    has(codePoint) {
      const found = known.get(codePoint) ?? look(codePoint);
      known.set(codePoint, found);
      return found;
    },
  };
}

/** Allows the printer to open these fonts, and no other file or URL. */
function useFonts(fonts: NamedFonts[]): void {
  pdfmake.setFonts(Object.fromEntries(fonts.map(({ name, files }): [string, FontFiles] => [name, files])));
  const readable = new Set(fonts.flatMap(({ files }) => Object.values(files)));
  pdfmake.setLocalAccessPolicy((path) => readable.has(path));
  pdfmake.setUrlAccessPolicy(() => false);
}

interface Given {
  source: PdfSource;
  furtherFonts: string[];
}

async function read(): Promise<Given> {
  const pages: PdfPage[] = [];
  const images: Record<string, PdfImage> = {};
  let head: Extract<PrintLine, { head: unknown }>['head'] | undefined;
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text) as PrintLine; // written by `printLines`
    if ('page' in line) pages.push(line.page);
    else if ('image' in line) keep(images, line.id, line.image);
    else head = line.head;
  }
  if (!head) throw new Error('There is nothing to print.');
  const { furtherFonts, ...rest } = head;
  return { source: { ...rest, pages, images }, furtherFonts };
}

/** For SVG images that are invalid or too complex, the PDF shows their names. */
function keep(images: Record<string, PdfImage>, id: string, image: PdfImage): void {
  if (image.kind === 'bitmap') images[id] = image;
  else {
    const svg = sanitizeSvg(image.svg);
    if (svg !== undefined) images[id] = { ...image, svg };
  }
}

const { source, furtherFonts } = await read();
const { text, wide, mono, further } = fontFilesWith(furtherFonts);
useFonts([text, wide, mono, ...further]);
const [first, second, fixed] = [familyIn(text), familyIn(wide), familyIn(mono)];
const others = further.map(familyIn);
const definition = pdfDefinition(source, { text: [first, second, ...others], mono: [fixed, second, ...others] });
await pipeline([await pdfmake.createPdf(definition).getBuffer()], process.stdout);
