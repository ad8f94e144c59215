import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import * as fontkit from 'fontkit';
import pdfmake from 'pdfmake';
import { pdfDefinition } from '../../lib/pdf/definition.ts';
import { type FontFamily, MONO, TEXT } from '../../lib/pdf/fonts.ts';
import type { PdfSource } from '../../lib/pdf/source.ts';
import type { CollectedPdf } from './collect-pdf.ts';

/** What the thread is begun with. */
export interface PrintData {
  collected: CollectedPdf;
  /** Files of further fonts, for characters that the service's own lack. */
  fonts: string[];
}

const packages = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const roboto = (style: string) => join(packages, 'pdfmake', 'fonts', 'Roboto', `Roboto-${style}.ttf`);
const dejaVu = (style: string) => join(packages, 'dejavu-fonts-ttf', 'ttf', `DejaVuSans${style}.ttf`);

type Files = Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>;

const TEXT_FILES: Files = {
  normal: roboto('Regular'),
  bold: roboto('Medium'),
  italics: roboto('Italic'),
  bolditalics: roboto('MediumItalic'),
};
const WIDE = 'Wide';
const WIDE_FILES: Files = {
  normal: dejaVu(''),
  bold: dejaVu('-Bold'),
  italics: dejaVu('-Oblique'),
  bolditalics: dejaVu('-BoldOblique'),
};
const MONO_FILES: Files = {
  normal: dejaVu('Mono'),
  bold: dejaVu('Mono-Bold'),
  italics: dejaVu('Mono-Oblique'),
  bolditalics: dejaVu('Mono-BoldOblique'),
};

function familyIn(name: string, { normal }: Files): FontFamily {
  const opened = fontkit.openSync(normal);
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

const { collected, fonts } = workerData as PrintData; // what printPdf begins it with
const further = fonts.map((file, index) => {
  const files: Files = { normal: file, bold: file, italics: file, bolditalics: file };
  return { name: `Further ${index + 1}`, files };
});
const [text, wide, mono] = [familyIn(TEXT, TEXT_FILES), familyIn(WIDE, WIDE_FILES), familyIn(MONO, MONO_FILES)];
const others = further.map(({ name, files }) => familyIn(name, files));

pdfmake.setFonts({
  [TEXT]: TEXT_FILES,
  [WIDE]: WIDE_FILES,
  [MONO]: MONO_FILES,
  ...Object.fromEntries(further.map(({ name, files }) => [name, files])),
});
const readable = new Set(
  [TEXT_FILES, WIDE_FILES, MONO_FILES, ...further.map(({ files }) => files)].flatMap(Object.values),
);
pdfmake.setLocalAccessPolicy((path) => readable.has(path));
pdfmake.setUrlAccessPolicy(() => false);

const source: PdfSource = {
  ...collected,
  pages: collected.pages.map(({ bodyJson, ...page }) => ({
    ...page,
    ...(bodyJson !== undefined && { body: JSON.parse(bodyJson) }),
  })),
};
const definition = pdfDefinition(source, { text: [text, wide, ...others], mono: [mono, wide, ...others] });
const printed = await pdfmake.createPdf(definition).getBuffer();
const bytes = new Uint8Array(printed);
parentPort?.postMessage(bytes, [bytes.buffer]);
