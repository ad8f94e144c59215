/** A font family and the characters that it supports. */
export interface FontFamily {
  name: string;
  has(codePoint: number): boolean;
}

export interface FontRun {
  text: string;
  font: string;
}

/** The name of the font family for text. */
export const TEXT = 'Text';
/** The name of the font family for code. */
export const MONO = 'Mono';

/** The name of the font family for emoji. */
export const EMOJI = 'Emoji';

/**
 * Joiners, isolates, variation selectors and byte order marks, which fonts without them would show as boxes, and
 * hyphens that are seen at the end of a line only.
 */
const INVISIBLE = /[\u00ad\u061c\u2066-\u2069]|[\ufe00-\ufe0f]|\u200d|\ufeff/u;
const PICTURE = /\p{Extended_Pictographic}/u;
/** Characters that are emoji without a selector. */
const COLORED = /\p{Emoji_Presentation}/u;
/** Characters that continue an emoji: joiners, skin tones and tags. */
const JOINING = /[\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;
const SELECTOR = '\ufe0f';
const MARK = /\p{M}/u;

/**
 * Splits text into runs, each in the first family that supports its characters. Combining marks stay with their base.
 * Of a character that no family supports, a plainer form is shown (a letter for a mathematical one), or else the box of
 * the first family; an emoji is left out.
 */
export function runsByFont(text: string, families: readonly FontFamily[]): FontRun[] {
  const first = families[0]?.name ?? TEXT;
  const emoji = families.find(({ name }) => name === EMOJI);
  const runs: FontRun[] = [];
  const characters = [...text].flatMap((character) => plainer(character, families));
  for (const [index, character] of characters.entries()) {
    const last = runs.at(-1);
    const isJoined = last?.font === EMOJI && JOINING.test(character);
    if (!isJoined && INVISIBLE.test(character)) continue;
    const isEmoji = COLORED.test(character) || characters[index + 1] === SELECTOR;
    const font =
      isJoined || (isEmoji && emoji?.has(character.codePointAt(0) ?? 0))
        ? EMOJI
        : last && MARK.test(character)
          ? last.font
          : familyOf(character, families);
    if (font === undefined && PICTURE.test(character)) continue;
    if (last && last.font === (font ?? first)) last.text += character;
    else runs.push({ text: character, font: font ?? first });
  }
  return runs;
}

/** Characters without a glyph or a compatible character (Unicode NFKC), with one that looks alike. */
const ALIKE: Record<string, string> = {
  '⨄': '⊎',
  '⨆': '⊔',
  '⟮': '(',
  '⟯': ')',
  '⎰': '(',
  '⎱': ')',
  '⟂': '⊥',
  '⨿': '∐',
  '⩞': '⌆',
};

function plainer(character: string, families: readonly FontFamily[]): string[] {
  if (character < '\u0300' || familyOf(character, families) !== undefined) return [character];
  return [...(ALIKE[character] ?? character.normalize('NFKC'))];
}

/** Spaces and control characters are in every font. */
function familyOf(character: string, families: readonly FontFamily[]): string | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint <= 0x20) return families[0]?.name;
  return families.find((family) => family.has(codePoint))?.name;
}
