import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMOJI, MONO, TEXT } from '../../../lib/pdf/fonts.ts';
import { ownFile } from '../../../platform/own-files.ts';

export type FontFiles = Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>;

export interface NamedFonts {
  name: string;
  files: FontFiles;
  /** The first code point that the font is looked at for. Default: 0. */
  from?: number;
}

const PACKAGES = fileURLToPath(ownFile('node_modules'));

/** Directory of installed packages. */
export const packagesDirectory = () => PACKAGES;

const roboto = (style: string) => join(PACKAGES, 'pdfmake', 'fonts', 'Roboto', `Roboto-${style}.ttf`);
const dejaVu = (style: string) => join(PACKAGES, 'dejavu-fonts-ttf', 'ttf', `DejaVuSans${style}.ttf`);

const sourceHanSans = (region: string) => join(PACKAGES, '@librescore', 'fonts', `SourceHanSans${region}.min.woff2`);

const notoEmoji = join(PACKAGES, '@expo-google-fonts', 'noto-emoji', '400Regular', 'NotoEmoji_400Regular.ttf');

/** The files of a family that has one style. */
export const sameFileForAllStyles = (file: string): FontFiles => ({
  normal: file,
  bold: file,
  italics: file,
  bolditalics: file,
});

/** Opening a compressed font takes half a second, so it is not opened for symbols of other scripts. */
const FIRST_ASIAN = 0x1100;

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
  /** Emoji as outlines. */
  emoji: { name: EMOJI, files: sameFileForAllStyles(notoEmoji) } satisfies NamedFonts,
  /** Chinese and Japanese, and Korean. They have one style. */
  asian: [
    { name: 'Chinese', files: sameFileForAllStyles(sourceHanSans('CN')), from: FIRST_ASIAN },
    { name: 'Korean', files: sameFileForAllStyles(sourceHanSans('KR')), from: FIRST_ASIAN },
  ] satisfies NamedFonts[],
  further: files.map(
    (file, index): NamedFonts => ({ name: `Further ${index + 1}`, files: sameFileForAllStyles(file) }),
  ),
});
