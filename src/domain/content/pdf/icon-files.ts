import { fileURLToPath } from 'node:url';
import type { IconSet } from '../../../lib/pdf/icons.ts';
import { ownFile } from '../../../platform/own-files.ts';
import { type NamedFonts, sameFileForAllStyles } from './font-files.ts';
import names from './icons/names.json' with { type: 'json' };

const iconFont = (file: string) => sameFileForAllStyles(fileURLToPath(ownFile(`src/domain/content/pdf/icons/${file}`)));

const SOLID = 'Icons';
const BRANDS = 'Brands';

/** The fonts that contain icons. */
export const iconFonts: NamedFonts[] = [
  { name: SOLID, files: iconFont('fa-solid-900.woff2') },
  { name: BRANDS, files: iconFont('fa-brands-400.woff2') },
];

/** Returns the characters of the icons by their names. */
export const readIconSets = (): IconSet[] => [
  { font: SOLID, icons: charactersOf(names.solid) },
  { font: BRANDS, icons: charactersOf(names.brands) },
];

const charactersOf = (codePoints: Record<string, string>): ReadonlyMap<string, string> =>
  new Map(Object.entries(codePoints).map(([name, hex]) => [name, String.fromCodePoint(Number.parseInt(hex, 16))]));
