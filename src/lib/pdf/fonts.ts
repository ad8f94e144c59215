/** A font family and the characters that it supports. */
export interface FontFamily {
  name: string;
  has(codePoint: number): boolean;
}

export interface Run {
  text: string;
  font: string;
}

/** The name of the font family for text. */
export const TEXT = 'Text';
/** The name of the font family for code. */
export const MONO = 'Mono';

/** Joiners and variation selectors of emoji, which fonts without the emoji would show as boxes. */
const INVISIBLE = /[\u200d\ufe00-\ufe0f]/gu;
const PICTURE = /\p{Extended_Pictographic}/u;
const MARK = /\p{M}/u;

/**
 * Splits text into runs, each in the first family that supports its characters. Combining marks stay with their base. A
 * character that no family supports is shown as the box of the first family; an emoji is left out.
 */
export function runsByFont(text: string, families: readonly FontFamily[]): Run[] {
  const first = families[0]?.name ?? TEXT;
  const runs: Run[] = [];
  for (const character of text.replace(INVISIBLE, '')) {
    const last = runs.at(-1);
    const font = last && MARK.test(character) ? last.font : familyOf(character, families);
    if (font === undefined && PICTURE.test(character)) continue;
    if (last && last.font === (font ?? first)) last.text += character;
    else runs.push({ text: character, font: font ?? first });
  }
  return runs;
}

/** Spaces and control characters are in every font. */
function familyOf(character: string, families: readonly FontFamily[]): string | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint <= 0x20) return families[0]?.name;
  return families.find((family) => family.has(codePoint))?.name;
}
