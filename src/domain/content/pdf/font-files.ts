import { join } from 'node:path';
import { MONO, TEXT } from '../../../lib/pdf/fonts.ts';

export type FontFiles = Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>;

export interface NamedFonts {
  name: string;
  files: FontFiles;
}

const PACKAGES = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules');

/** Directory of installed packages. */
export const packagesDirectory = () => PACKAGES;

const roboto = (style: string) => join(PACKAGES, 'pdfmake', 'fonts', 'Roboto', `Roboto-${style}.ttf`);
const dejaVu = (style: string) => join(PACKAGES, 'dejavu-fonts-ttf', 'ttf', `DejaVuSans${style}.ttf`);

/** The built-in fonts, and further font files for characters that these lack. */
export const fontFilesWith = (files: readonly string[]) => ({
  text: {
    name: TEXT,
    files: {
      normal: roboto('Regular'),
      bold: roboto('Medium'),
      italics: roboto('Italic'),
      bolditalics: roboto('MediumItalic'),
    },
  },
  wide: {
    name: 'Wide',
    files: {
      normal: dejaVu(''),
      bold: dejaVu('-Bold'),
      italics: dejaVu('-Oblique'),
      bolditalics: dejaVu('-BoldOblique'),
    },
  },
  mono: {
    name: MONO,
    files: {
      normal: dejaVu('Mono'),
      bold: dejaVu('Mono-Bold'),
      italics: dejaVu('Mono-Oblique'),
      bolditalics: dejaVu('Mono-BoldOblique'),
    },
  },
  further: files.map(
    (file, index): NamedFonts => ({
      name: `Further ${index + 1}`,
      files: { normal: file, bold: file, italics: file, bolditalics: file },
    }),
  ),
});
