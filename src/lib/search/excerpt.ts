/** A part of an excerpt, and whether it matches the query. */
export interface ExcerptPart {
  text: string;
  isMatch: boolean;
}

/** Position of a match in UTF-16 code units. */
export interface Match {
  start: number;
  end: number;
}

const EXCERPT_CHARACTERS = 240;
/** Characters of the excerpt before the first match. */
const CHARACTERS_BEFORE_MATCH = 60;
/** Maximum distance to the boundary of a word. */
const MAX_WORD_DISTANCE = 20;

/** About 240 characters around the first match as one line, cut between words if possible. Matches must be in order. */
export function excerptOf(text: string, matches: readonly Match[]): ExcerptPart[] {
  const first = matches[0]?.start ?? 0;
  const start = first <= CHARACTERS_BEFORE_MATCH ? 0 : wordStart(text, first - CHARACTERS_BEFORE_MATCH, first);
  const end =
    text.length - start <= EXCERPT_CHARACTERS
      ? text.length
      : wordEnd(text, start + EXCERPT_CHARACTERS, Math.max(first, start));
  const parts: ExcerptPart[] = [];
  const add = (from: number, to: number, isMatch: boolean): void => {
    const part = text.slice(from, to).replace(/\s+/g, ' ');
    if (part !== '') parts.push({ text: part, isMatch });
  };
  if (start > 0) parts.push({ text: '…', isMatch: false });
  let at = start;
  for (const match of matches) {
    if (match.start < at || match.start >= end) continue;
    const to = Math.min(match.end, end);
    add(at, match.start, false);
    add(match.start, to, true);
    at = to;
  }
  add(at, end, false);
  if (end < text.length) parts.push({ text: '…', isMatch: false });
  return parts;
}

function wordStart(text: string, at: number, limit: number): number {
  for (let index = at; index < Math.min(at + MAX_WORD_DISTANCE, limit); index++)
    if (isSpace(text[index])) return index + 1;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function wordEnd(text: string, at: number, limit: number): number {
  for (let index = at; index > Math.max(at - MAX_WORD_DISTANCE, limit); index--) if (isSpace(text[index])) return index;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

const isSpace = (character = '') => /\s/.test(character);

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
