import { readFile } from 'node:fs/promises';

export const PACKAGE = new URL('../node_modules/@fortawesome/fontawesome-free/', import.meta.url);
export const ICONS = new URL('../src/domain/content/pdf/icons/', import.meta.url);

/** Files that are copied unchanged, from the package and to the folder of icons. */
export const FILES = [
  ['webfonts/fa-solid-900.woff2', 'fa-solid-900.woff2'],
  ['webfonts/fa-brands-400.woff2', 'fa-brands-400.woff2'],
  ['LICENSE.txt', 'LICENSE.txt'],
] as const;

/** Rules such as `.fa-cog,.fa-gear{--fa:"\f013"}` and `.fa-0{--fa:"\30 "}`. */
const RULE = /([^{}]+)\{--fa:"(?:\\([0-9a-f]+) ?|\\?([^"\\]))"\}/g;

/** Returns the code points of icons by their names, older names included, from the style sheets of the package. */
export async function iconNames(): Promise<Record<'solid' | 'brands', Record<string, string>>> {
  const read = async (file: string) => namesIn(await readFile(new URL(`css/${file}.min.css`, PACKAGE), 'utf8'));
  return { solid: await read('fontawesome'), brands: await read('brands') };
}

function namesIn(css: string): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [, selectors = '', hex, character = ''] of css.matchAll(RULE)) {
    const codePoint = hex ?? character.charCodeAt(0).toString(16);
    for (const [, name = ''] of selectors.matchAll(/\.fa-([a-z0-9-]+)/g)) names[name] = codePoint;
  }
  return names;
}
