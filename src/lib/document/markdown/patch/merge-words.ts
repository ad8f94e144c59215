import { type Hunk, hunksBetween, stretchOf } from '../../../merge-lines.ts';

/** A text in three forms. */
export interface TextForms {
  /** The text before an edit, as it is printed. */
  printed: string;
  /** The same as it was written. */
  source: string;
  /** The text after the edit, as it is printed. */
  edited: string;
}

/** Order of additions by the writer and by the edit at the same place. */
export type Precedence = 'edit' | 'writer';

/** Characters of scripts without spaces between words, other words, spaces, and single signs. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+|[ \t\r\n]+|./gsu;

/** Finding the fewest edits takes quadratic time, so that forms with more are not compared. */
const MAX_EDITS = 500;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** Line breaks within a block are spaces. */
const nameOf = (token: string): string => (isBreak(token) ? ' ' : token);
const isSpace = (token: string | undefined): boolean => token !== undefined && /^[ \t\r\n]/.test(token);
const isBreak = (token: string | undefined): boolean => token !== undefined && /[\r\n]/.test(token);

/**
 * Applies an edit to a text as it was written: words that the edit does not change stay as they were written, with
 * their line breaks. Where both forms differ from the printed text, the edit is taken. Undefined if the forms differ
 * too much.
 */
export function mergeWords({ printed, source, edited }: TextForms, first: Precedence): string | undefined {
  const [base, current, next] = [tokensOf(printed), tokensOf(source), tokensOf(edited)];
  const names = [base, current, next].map((tokens) => tokens.map(nameOf)) as [string[], string[], string[]];
  const [ownHunks, edits] = [names[1], names[2]].map((form) => hunksBetween(names[0], form, MAX_EDITS));
  if (!ownHunks || !edits) return undefined;
  const texts = keptTexts(base, current, ownHunks);
  const editHunks = edits.map((hunk) => keepingBreak(hunk, names[0], texts));
  const result: string[] = [];
  let at = 0;
  for (const { from, to, own: ours, edits: theirs } of regionsOf(ownHunks, editHunks, first)) {
    for (; at < from; at++) result.push(texts[at] ?? '');
    const [tokens, hunks] = theirs.length > 0 ? [next, theirs] : [current, ours];
    result.push(...stretchOf(tokens, hunks, { from, to }));
    at = to;
  }
  for (; at < base.length; at++) result.push(texts[at] ?? '');
  return result.join('');
}

/** The tokens of the printed text as the writer has them. */
function keptTexts(base: readonly string[], current: readonly string[], hunks: readonly Hunk[]): string[] {
  const texts = [...base];
  let [at, place] = [0, 0];
  for (const { from, to, start, end } of [...hunks, { from: base.length, to: 0, start: current.length, end: 0 }]) {
    while (at < from) texts[at++] = current[place++] ?? '';
    [at, place] = [to, Math.max(end, start)];
  }
  return texts;
}

/** Deleting a word also deletes an adjacent space that is not a line break. */
function keepingBreak(hunk: Hunk, names: readonly string[], texts: readonly string[]): Hunk {
  const { from, to, start, end } = hunk;
  const isDeletion = start === end && from > 0;
  if (!isDeletion || names[from - 1] !== names[to - 1] || !isSpace(names[to - 1])) return hunk;
  if (!isBreak(texts[to - 1]) || isBreak(texts[from - 1])) return hunk;
  return { from: from - 1, to: to - 1, start: start - 1, end: end - 1 };
}

/** A stretch of the printed text that a form, or both, have otherwise. */
interface Region {
  from: number;
  to: number;
  own: Hunk[];
  edits: Hunk[];
}

/** Hunks in order. Those that overlap are in one region, others that touch each other are not. */
function regionsOf(ownHunks: readonly Hunk[], edits: readonly Hunk[], first: Precedence): Region[] {
  const isFirst = (kind: 'own' | 'edits'): number => ((kind === 'edits') === (first === 'edit') ? 0 : 1);
  const all = [
    ...ownHunks.map((hunk) => ({ hunk, kind: 'own' as const })),
    ...edits.map((hunk) => ({ hunk, kind: 'edits' as const })),
  ].sort(
    (a, b) =>
      a.hunk.from - b.hunk.from ||
      Math.sign(a.hunk.to - a.hunk.from) - Math.sign(b.hunk.to - b.hunk.from) ||
      isFirst(a.kind) - isFirst(b.kind),
  );
  const regions: Region[] = [];
  for (const { hunk, kind } of all) {
    let region = regions.at(-1);
    if (!region || region.to <= hunk.from) {
      region = { from: hunk.from, to: hunk.to, own: [], edits: [] };
      regions.push(region);
    }
    region.to = Math.max(region.to, hunk.to);
    region[kind].push(hunk);
  }
  return regions;
}
