import { distinctWords, sharedWords } from '../../shared-words.ts';
import { contentLength, linesOf } from '../patch/lines-of.ts';

/** Where a passage occurs in a text. */
export interface Occurrences {
  /** Offsets of the first occurrences. */
  places: number[];
  count: number;
}

/**
 * Finds a passage, with overlapping occurrences, in linear time (Knuth, Morris and Pratt): `indexOf` takes quadratic
 * time for passages such as `baaa…`.
 */
export function findPassage(text: string, passage: string, max: number): Occurrences {
  const borders = bordersOf(passage);
  const places: number[] = [];
  let count = 0;
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && passage.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (passage.charCodeAt(matched) === code) matched += 1;
    if (matched !== passage.length) continue;
    count += 1;
    if (places.length < max) places.push(at + 1 - passage.length);
    matched = borders[matched - 1] ?? 0;
  }
  return { places, count };
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(passage: string): Uint32Array {
  const borders = new Uint32Array(passage.length);
  let length = 0;
  for (let i = 1; i < passage.length; i++) {
    const code = passage.charCodeAt(i);
    while (length > 0 && passage.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (passage.charCodeAt(length) === code) length += 1;
    borders[i] = length;
  }
  return borders;
}

/** A line of a text, counted from 1, with its beginning. */
export interface LineExcerpt {
  line: number;
  excerpt: string;
}

/** The lines that are most similar to the first line of a passage, by their words, the most similar one first. */
export function nearestLines(text: string, passage: string, max: number): LineExcerpt[] {
  const first = linesOf(passage).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  const words = distinctWords(first);
  if (words.size === 0) return [];
  const matches: { line: number; score: number; text: string }[] = [];
  for (const [i, line] of linesOf(text).entries()) {
    const score = sharedWords(words, distinctWords(line));
    if (score > 0) matches.push({ line: i + 1, score, text: line });
  }
  return matches
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, max)
    .map((each) => ({ line: each.line, excerpt: excerptOf(each.text) }));
}

/** The line with the character at an offset. */
export function lineAt(text: string, offset: number): LineExcerpt {
  const lines = linesOf(text);
  let at = 0;
  for (const [i, line] of lines.entries()) {
    at += line.length;
    if (offset < at) return { line: i + 1, excerpt: excerptOf(line) };
  }
  return { line: Math.max(1, lines.length), excerpt: '' };
}

const MAX_EXCERPT = 90;

function excerptOf(line: string): string {
  const text = line.slice(0, contentLength(line)).trim();
  if (text.length <= MAX_EXCERPT) return text;
  // Cutting must not split a surrogate pair.
  return `${text.slice(0, MAX_EXCERPT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * A passage with these line ends: passages are often sent with other line ends than the file has that the text was
 * imported from. Unchanged without a line end.
 */
export const passageWithLineEnds = (passage: string, lineEnd: string | undefined): string =>
  lineEnd === undefined ? passage : passage.replace(/\r\n?|\n/g, lineEnd);

/** The line end of a text. Undefined if it has several kinds, or none. */
export function onlyLineEnd(text: string): string | undefined {
  const ends = new Set<string>();
  for (const [end] of text.matchAll(/\r\n?|\n/g)) ends.add(end);
  return ends.size === 1 ? [...ends][0] : undefined;
}
