import type { Run } from './fonts.ts';

/** The name of the font family with the outlines of icons. */
export const ICONS = 'Icons';
/** The name of the font family with the outlines of logos. */
export const BRANDS = 'Brands';

/** A font of icons, with the code points of its icons by name. */
export interface IconFont {
  name: string;
  codePoints: ReadonlyMap<string, number>;
}

/** Finds icons by their names. Icons that no font has are left out. */
export type FindIcon = (name: string) => Run | undefined;

export const iconsIn =
  (fonts: readonly IconFont[]): FindIcon =>
  (written) => {
    const name = plainName(written);
    const font = fonts.find(({ codePoints }) => codePoints.has(name));
    const codePoint = font?.codePoints.get(name);
    return font && codePoint !== undefined ? { text: String.fromCodePoint(codePoint), font: font.name } : undefined;
  };

/** Names can be written as classes: `fa-solid fa-bolt`, `fa-bolt`. */
const plainName = (written: string) => (written.trim().split(/\s+/).at(-1) ?? '').replace(/^fa-/, '').toLowerCase();
