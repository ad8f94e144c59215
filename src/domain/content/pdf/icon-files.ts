import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IconSet, iconsIn } from '../../../lib/pdf/icons.ts';
import { type NamedFonts, packagesDirectory, sameFor } from './font-files.ts';

const inPackage = (...path: string[]) => join(packagesDirectory(), '@fortawesome', 'fontawesome-free', ...path);

const SOLID = 'Icons';
const BRANDS = 'Brands';

/** The fonts that contain icons. */
export const iconFonts: NamedFonts[] = [
  { name: SOLID, files: sameFor(inPackage('webfonts', 'fa-solid-900.woff2')) },
  { name: BRANDS, files: sameFor(inPackage('webfonts', 'fa-brands-400.woff2')) },
];

/** Reads the names of the icons. */
export const readIconSets = (): IconSet[] => [
  { font: SOLID, icons: iconsIn(readFileSync(inPackage('css', 'fontawesome.min.css'), 'utf8')) },
  { font: BRANDS, icons: iconsIn(readFileSync(inPackage('css', 'brands.min.css'), 'utf8')) },
];
