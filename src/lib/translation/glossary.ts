import { type CodedToken, readTokens } from './coded-text.ts';

/** A term and its translation. */
export interface TermTranslation {
  term: string;
  translation: string;
}

/** Terms by their first piece in lower case. */
export type Glossary = ReadonlyMap<string, TermNode>;

/** A node of a radix tree of the pieces of terms, in lower case. */
interface TermNode {
  /** Pieces of all its terms, after those of the nodes above. */
  pieces: readonly string[];
  /** The term that ends here. */
  term: TermTranslation | undefined;
  /** Nodes of longer terms by their next piece. */
  next: ReadonlyMap<string, TermNode>;
}

/** A term, and its pieces in lower case. */
interface CutTerm {
  term: TermTranslation;
  pieces: readonly string[];
}

/** Words, and the text between them. */
const WORDS = /[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;

/** Characters of scripts that have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const piecesOf = (value: string): string[] =>
  (value.match(WORDS) ?? []).flatMap((piece) => (UNSPACED.test(piece) ? [...piece] : [piece]));

/** Prepares terms for finding them. Of two translations of one term, the first is taken. */
export function makeGlossary(terms: readonly TermTranslation[]): Glossary {
  const unique = new Map<string, CutTerm>();
  for (const { term, translation } of terms) {
    const name = term.trim().toLowerCase();
    if (name !== '' && !unique.has(name)) unique.set(name, { term: { term, translation }, pieces: piecesOf(name) });
  }
  return nodesAfter([...unique.values()], 0);
}

/** Nodes of terms whose first `count` pieces are the same, and that have more. */
function nodesAfter(terms: readonly CutTerm[], count: number): Map<string, TermNode> {
  const groups = Map.groupBy(terms, ({ pieces }) => pieces[count] as string); // there are more
  return new Map([...groups].map(([piece, group]) => [piece, nodeOf(group, count)]));
}

function nodeOf(terms: readonly CutTerm[], start: number): TermNode {
  const pieces = terms[0]?.pieces ?? [];
  let end = start + 1;
  while (end < pieces.length && terms.every((each) => each.pieces[end] === pieces[end])) end += 1;
  const longer = terms.filter((each) => each.pieces.length > end);
  return {
    pieces: pieces.slice(start, end),
    term: terms.find((each) => each.pieces.length === end)?.term,
    next: nodesAfter(longer, end),
  };
}

/** A text in parts: those that are terms of the glossary have their translation. */
export interface GlossaryPart {
  value: string;
  term?: TermTranslation;
}

/**
 * Finds the terms in a text, whole words only, regardless of case. Of overlapping terms the first one is taken, and the
 * longest that begins there. The parts together are the text. Linear in the length of the text for terms of bounded
 * length, however many there are.
 */
export function findTerms(value: string, glossary: Glossary): GlossaryPart[] {
  if (glossary.size === 0) return value === '' ? [] : [{ value }];
  const pieces = piecesOf(value);
  const lower = pieces.map((piece) => piece.toLowerCase());
  const parts: GlossaryPart[] = [];
  let plain = '';
  for (let at = 0; at < pieces.length; ) {
    const found = longestTerm(lower, at, glossary);
    const end = found?.end ?? at + 1;
    const part = pieces.slice(at, end).join('');
    if (found) {
      if (plain !== '') parts.push({ value: plain });
      plain = '';
      parts.push({ value: part, term: found.term });
    } else plain += part;
    at = end;
  }
  if (plain !== '') parts.push({ value: plain });
  return parts;
}

/** The longest term that begins at a position, and where it ends. */
function longestTerm(lower: readonly string[], start: number, glossary: Glossary) {
  let found: { term: TermTranslation; end: number } | undefined;
  let at = start;
  for (let node = glossary.get(lower[at] ?? ''); node; node = node.next.get(lower[at] ?? '')) {
    const begin = at;
    if (!node.pieces.every((piece, index) => lower[begin + index] === piece)) return found;
    at += node.pieces.length;
    if (node.term) found = { term: node.term, end: at };
  }
  return found;
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
