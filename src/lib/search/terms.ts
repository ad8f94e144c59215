import type { SearchToken } from './tokens.ts';

/** The index terms of a token: a word and its parts, or the grams of a run. */
export function termsOf(token: SearchToken, text: string): string[] {
  return token.isRun ? gramsOf(token.text) : [token.text, ...wordParts(text.slice(token.start, token.end))];
}

/** Every character of a run and every pair of neighbours. */
function gramsOf(run: string): string[] {
  const characters = [...run];
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

/**
 * The grams that a text with the run must contain: its pairs of characters, or its single character. Without
 * repetitions, unless their order counts.
 */
export function gramsToFind(run: string, { isOrdered = false } = {}): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return isOrdered ? pairs : [...new Set(pairs)];
}

/** Checked first, because few words are in camel case. */
const HUMP = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const MAX_PARTS = 12;

/** The number of a version with a `v`, which many write without it: `2` of `v2`. Undefined for other words. */
export const versionNumber = (word: string): string | undefined => /^v(\d{1,20})$/i.exec(word)?.[1];

/**
 * The parts of a name in camel case, such as `updateSpaceContent`, and the number of a version; empty for other words.
 */
export function wordParts(raw: string): string[] {
  const number = versionNumber(raw);
  if (number !== undefined) return [number];
  if (raw.length < 4 || raw.length > 64 || !HUMP.test(raw)) return [];
  return raw
    .split(CAMEL, MAX_PARTS)
    .filter((part) => part.length > 1)
    .map((part) => part.normalize('NFKC').toLowerCase());
}
