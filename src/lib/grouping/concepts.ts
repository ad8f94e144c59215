import { type SearchToken, searchTokens } from '../search/tokens.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** Words of a phrase at most. */
const MAX_PHRASE = 3;

/** Characters of an expression in a script without spaces at most. */
const MAX_RUN = 9;

/** Concepts by what expresses them. `isOpen` entries are also found as the beginning of longer words. */
interface Entry {
  concept: string;
  isOpen: boolean;
}

const ENTRIES = new Map<string, Entry>();

// README.md describes the notation.
for (const [concept, lists] of Object.entries(vocabulary)) {
  for (const phrase of lists.flatMap((list) => list.split(', '))) {
    const key = searchTokens(phrase)
      .map(({ text }) => folded(text))
      .join(' ');
    const isOpen = ENTRIES.get(key)?.isOpen || phrase.endsWith('*');
    ENTRIES.set(key, { concept, isOpen });
  }
}

/**
 * The concepts of the vocabulary that a text expresses, in the order of the text. Different words for the same concept,
 * also in other languages, give the same concept. Linear.
 */
export function conceptsOf(tokens: readonly SearchToken[]): string[] {
  const words = tokens.map(({ text }) => folded(text));
  const concepts: string[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? '';
    if (tokens[at]?.isRun) {
      concepts.push(...conceptsOfRun(word));
      at++;
      continue;
    }
    const match = longestPhrase(words, at);
    if (match) concepts.push(match.concept);
    at += match?.length ?? 1;
  }
  return concepts;
}

function longestPhrase(words: readonly string[], at: number): { concept: string; length: number } | undefined {
  for (let length = Math.min(MAX_PHRASE, words.length - at); length > 0; length--) {
    const concept = conceptOf(words.slice(at, at + length).join(' '), (words[at + length - 1] ?? '').length);
    if (concept !== undefined) return { concept, length };
  }
  return undefined;
}

/**
 * The concept of a word or phrase: by all of it, or by its longest beginning that is open. Only the last word is cut.
 */
function conceptOf(text: string, lastLength: number): string | undefined {
  const exact = ENTRIES.get(text);
  if (exact) return exact.concept;
  for (let end = text.length - 1; end > text.length - lastLength; end--) {
    const entry = ENTRIES.get(text.slice(0, end));
    if (entry?.isOpen) return entry.concept;
  }
  return undefined;
}

/** The longest expressions in a run of characters, from left to right. */
function conceptsOfRun(run: string): string[] {
  const concepts: string[] = [];
  for (let at = 0; at < run.length; ) {
    let length = Math.min(MAX_RUN, run.length - at);
    while (length > 1 && !ENTRIES.has(run.slice(at, at + length))) length--;
    const entry = ENTRIES.get(run.slice(at, at + length));
    if (entry) concepts.push(entry.concept);
    at += length;
  }
  return concepts;
}

function folded(text: string): string {
  return /^[a-z0-9]*$/.test(text)
    ? text
    : text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC');
}
