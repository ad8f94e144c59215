import { loadWhenUsed } from '../load-when-used.ts';

/**
 * An emoji of Unicode's RGI set. Most are a single character that is not continued. Matching these first is ten times
 * faster than trying all sequences.
 */
const sequence =
  /[\p{Emoji_Presentation}--\p{RI}](?![\u200d\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}])|\p{RGI_Emoji}/gv;
/**
 * Matches a part that every RGI emoji contains: a character of emoji presentation, the selector, or a character of the
 * emoji planes.
 */
const hint = /\ufe0f|[\u231a-\u2b55\ud83c-\ud83e]/;

const joining = /^[\u200d\ufe0e\ufe0f\u20e3\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;

const github = loadWhenUsed<typeof import('gemoji')>('gemoji');

/** Longer than the code of any emoji: a family has ten code points. */
const MAX_CODE = 100;

/** Splits text at its emoji (Unicode's RGI set) into strings and codes of emoji. */
export function splitEmoji(text: string): (string | { code: string })[] {
  if (!hint.test(text)) return [text];
  const parts: (string | { code: string })[] = [];
  let from = 0;
  for (const { 0: emoji, index } of text.matchAll(sequence)) {
    if (index > from) parts.push(text.slice(from, index));
    parts.push({ code: codeOfEmoji(emoji) });
    from = index + emoji.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/**
 * The code points in hexadecimal, joined by hyphens and without variation selectors, which is how documents store an
 * emoji.
 */
export function codeOfEmoji(emoji: string): string {
  return [...emoji]
    .map((char) => char.codePointAt(0)?.toString(16) ?? '')
    .filter((hex) => hex !== 'fe0f')
    .join('-');
}

/** Cache of valid codes. Its size is limited by the number of emoji in Unicode. */
const cache = new Map<string, string>();

/** The characters of a code, with the selectors that make them an emoji; undefined if the code is not an emoji. */
export function emojiOfCode(code: string): string | undefined {
  const emoji = cache.get(code) ?? findEmoji(code);
  if (emoji !== undefined) cache.set(code, emoji);
  return emoji;
}

function findEmoji(code: string): string | undefined {
  if (code.length > MAX_CODE) return undefined;
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/.test(code)) return undefined;
  const points = code.split('-').map((hex) => Number.parseInt(hex, 16));
  if (points.some((point) => point > 0x10ffff)) return undefined;
  const chars = points.map((point) => String.fromCodePoint(point));
  const candidates = [chars.join(''), chars.map((char, i) => withSelector(char, chars[i + 1])).join('')];
  return candidates.find((candidate) => isEmoji(candidate) && codeOfEmoji(candidate) === code);
}

/** Normalizes an emoji code in lower or upper case hexadecimal, or the character itself. */
export function tidyEmojiCode(code: string): string {
  if (isEmoji(code)) return codeOfEmoji(code);
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code)) return code;
  const hex = code.toLowerCase().replace(/-fe0f/g, '');
  return emojiOfCode(hex) ? hex : code;
}

/**
 * Whether this is one emoji: the character, with or without selectors, or its code in a form that can be normalized.
 */
export const namesEmoji = (text: string): boolean =>
  isEmoji(text) || [tidyEmojiCode(text), codeOfEmoji(text)].some((code) => emojiOfCode(code) !== undefined);

/**
 * Whether adjacent texts may join into one emoji. An emoji is continued by a modifier, a selector, a keycap, the second
 * letter of a flag, a tag, or any character after a joiner (UTS #51, 1.4.9 "EBNF and Regex").
 */
export const mayJoin = (before: string, after: string): boolean => before.endsWith('\u200d') || joining.test(after);

/** The code of a `:name:`, if there is one. */
export function codeOfEmojiName(name: string): string | undefined {
  const emoji = emojiOfName(name);
  return emoji && codeOfEmoji(emoji);
}

/** The text with the short names of its emoji in their place, without colons. Emoji without a name stay. */
export const withEmojiNames = (text: string): string =>
  splitEmoji(text)
    .map((part) => {
      if (typeof part === 'string') return part;
      const emoji = emojiOfCode(part.code) ?? '';
      return nameOfEmoji(emoji) ?? emoji;
    })
    .join('');

function isEmoji(text: string): boolean {
  return /^\p{RGI_Emoji}$/v.test(text);
}

/** Characters that display as text by default need the emoji selector, unless a skin tone follows (UTS #51). */
function withSelector(char: string, next: string | undefined): string {
  const textual = /\p{Emoji}/u.test(char) && !/\p{Emoji_Presentation}|\p{Emoji_Modifier}/u.test(char);
  return textual && !(next && /\p{Emoji_Modifier}/u.test(next)) ? `${char}\ufe0f` : char;
}

/** The emoji of a short name of GitHub, or of the additional ones of GitBook. Other names stay text. */
function emojiOfName(name: string): string | undefined {
  if (name === 'blue_circle') return '🔵';
  const { nameToEmoji } = github();
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined;
}

/** The short name that GitHub prefers for an emoji. Undefined if there is none. */
function nameOfEmoji(emoji: string): string | undefined {
  const { emojiToName } = github();
  return Object.hasOwn(emojiToName, emoji) ? emojiToName[emoji] : undefined;
}
