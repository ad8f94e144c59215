import { type CodedToken, readTokens } from './coded-text.ts';

/** A term and its translation. */
export interface TermTranslation {
  term: string;
  translation: string;
}

/** Terms by their first word in lower case, the longest first. */
export type Glossary = ReadonlyMap<string, readonly (TermTranslation & { words: readonly string[] })[]>;

/** Words, and the text between them. */
const WORDS = /[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;

/** Characters of scripts that have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const piecesOf = (value: string): string[] =>
  (value.match(WORDS) ?? []).flatMap((piece) => (UNSPACED.test(piece) ? [...piece] : [piece]));

/** Prepares terms for finding them. Of two translations of one term, the first is taken. */
export function makeGlossary(terms: readonly TermTranslation[]): Glossary {
  const glossary = new Map<string, (TermTranslation & { words: string[] })[]>();
  const seen = new Set<string>();
  for (const { term, translation } of terms) {
    const words = piecesOf(term.trim().toLowerCase());
    const [first] = words;
    if (first === undefined || seen.has(words.join(''))) continue;
    seen.add(words.join(''));
    glossary.set(first, [...(glossary.get(first) ?? []), { term, translation, words }]);
  }
  for (const same of glossary.values()) same.sort((a, b) => b.words.length - a.words.length);
  return glossary;
}

/** A text in parts: those that are terms of the glossary have their translation. */
export interface GlossaryPart {
  value: string;
  term?: TermTranslation;
}

/**
 * Finds the terms in a text, whole words only, regardless of case. Of overlapping terms the first one is taken, and the longest
 * that begins there. The parts together are the text. Linear in the length of the text for terms of bounded length.
 */
export function findTerms(value: string, glossary: Glossary): GlossaryPart[] {
  if (glossary.size === 0) return value === '' ? [] : [{ value }];
  const pieces = piecesOf(value);
  const lower = pieces.map((piece) => piece.toLowerCase());
  const parts: GlossaryPart[] = [];
  let plain = '';
  for (let at = 0; at < pieces.length; ) {
    const entry = glossary.get(lower[at] ?? '')?.find(({ words }) => words.every((word, i) => lower[at + i] === word));
    const length = entry?.words.length ?? 1;
    const part = pieces.slice(at, at + length).join('');
    if (entry) {
      if (plain !== '') parts.push({ value: plain });
      plain = '';
      parts.push({ value: part, term: { term: entry.term, translation: entry.translation } });
    } else plain += part;
    at += length;
  }
  if (plain !== '') parts.push({ value: plain });
  return parts;
}

/** The terms that occur in a segment, each once, in the order of their text. */
export function termsIn(segment: string, glossary: Glossary): TermTranslation[] {
  const terms = new Map<string, TermTranslation>();
  if (glossary.size === 0) return [];
  for (const token of readTokens(segment)) {
    if (token.kind !== 'text') continue;
    for (const { term } of findTerms(token.value, glossary)) if (term) terms.set(term.term, term);
  }
  return [...terms.values()].sort((a, b) => (a.term < b.term ? -1 : Number(a.term > b.term)));
}

/** A segment whose terms are placeholders, so that a provider cannot translate them in another way. */
export interface Protected {
  tokens: CodedToken[];
  /** Translations by the number of their placeholder. */
  translations: ReadonlyMap<number, string>;
}

/** Replaces terms by placeholders with the next free numbers. */
export function protectTerms(segment: string, glossary: Glossary): Protected {
  const tokens = readTokens(segment);
  const translations = new Map<number, string>();
  let number = Math.max(0, ...tokens.map((token) => (token.kind === 'text' ? 0 : token.number)));
  const marked = tokens.flatMap((token): CodedToken[] => {
    if (token.kind !== 'text') return [token];
    return findTerms(token.value, glossary).map(({ value, term }): CodedToken => {
      if (!term) return { kind: 'text', value };
      number += 1;
      translations.set(number, term.translation);
      return { kind: 'void', number };
    });
  });
  return { tokens: marked, translations };
}

/** Puts translations in the place of the placeholders of terms. */
export const restoreTerms = (tokens: readonly CodedToken[], translations: Protected['translations']): CodedToken[] =>
  tokens.map((token) => {
    const translation = token.kind === 'void' ? translations.get(token.number) : undefined;
    return translation === undefined ? token : { kind: 'text', value: translation };
  });
