import bidiFactory, { type Bidi } from 'bidi-js';
import type { Content } from 'pdfmake/interfaces.d.ts';
import { directionOf, RTL_CHARACTER, type TextDirection } from '../text-direction.ts';
import type { TextRun } from './runs.ts';

// The package is CommonJS and exports the function itself, unlike its types say.
const bidi: Bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** A run with its level in the bidirectional algorithm (UAX #9): text of odd levels is written from right to left. */
export interface LeveledRun extends TextRun {
  level: number;
  /** The level of the paragraph. */
  baseLevel: number;
}

/** The parts of a definition that contain text. `direction` overrides the direction of the text. */
interface Node {
  text?: string | TextRun[];
  direction?: TextDirection;
  stack?: Content[];
  columns?: Content[];
  ul?: Content[];
  ol?: Content[];
  table?: { body: Content[][] };
}

/**
 * Sets the levels of all runs of paragraphs with text from right to left, which `toVisualOrder` needs to lay out their
 * lines. Other paragraphs stay as they are.
 */
export function setLevels(content: readonly Content[], base: TextDirection): void {
  for (const part of content) {
    if (typeof part !== 'object') continue;
    if (Array.isArray(part)) {
      setLevels(part, base);
      continue;
    }
    const node = part as Node;
    if (Array.isArray(node.text)) node.text = leveledRuns(node.text, base, node.direction);
    for (const inner of [node.stack, node.columns, node.ul, node.ol]) if (inner) setLevels(inner, base);
    for (const row of node.table?.body ?? []) setLevels(row, base);
  }
}

function leveledRuns(runs: TextRun[], base: TextDirection, explicitDirection?: TextDirection): TextRun[] {
  const text = runs.map((run) => run.text).join('');
  if (!RTL_CHARACTER.test(text)) return runs;
  const direction = explicitDirection ?? directionOf(text, base);
  const baseLevel = direction === 'rtl' ? 1 : 0;
  const levels = levelsWithIsolates(runs, direction);
  let at = 0;
  return runs.flatMap((run) => {
    const parts: LeveledRun[] = [];
    // By UTF-16 units, as the levels. Both halves of a surrogate pair have the same level.
    for (const unit of run.text.split('')) {
      const level = levels[at++] ?? baseLevel;
      const last = parts.at(-1);
      if (last?.level === level) last.text += unit;
      else parts.push({ ...run, text: unit, level, baseLevel });
    }
    return parts;
  });
}

/** For the text around it, an isolate is one neutral character. */
const NEUTRAL = '\ufffc';

/**
 * Code and formulas are isolates from left to right: their brackets and signs stay in place within any text. In code,
 * each part that is colored for itself is one.
 */
function levelsWithIsolates(runs: readonly TextRun[], direction: TextDirection): number[] {
  const around = runs.map(({ text, isolate }) => (isolate ? text.replace(/[^\n]/g, NEUTRAL) : text)).join('');
  const levels = bidiLevels(around, direction);
  let start = 0;
  for (const group of groupsOf(runs)) {
    const text = group.map((run) => run.text).join('');
    if (group[0]?.isolate) {
      const outside = levels[start] ?? 0;
      const even = outside % 2 === 0 ? outside : outside + 1;
      const inside = RTL_CHARACTER.test(text) ? bidiLevels(text, 'ltr') : undefined;
      for (let index = 0; index < text.length; index += 1) levels[start + index] = even + (inside?.[index] ?? 0);
    }
    start += text.length;
  }
  return levels;
}

/** Runs of one isolate together. */
function groupsOf(runs: readonly TextRun[]): TextRun[][] {
  const groups: TextRun[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last && run.isolate && last[0]?.isolate === run.isolate) last.push(run);
    else groups.push([run]);
  }
  return groups;
}

/**
 * Maximum number of characters that levels are found for at once. The library takes quadratic time for long numbers.
 */
const MAX_PIECE = 4_000;

/** Returns the level of each UTF-16 unit of a text in a direction. */
export function bidiLevels(text: string, direction: TextDirection): number[] {
  const levels: number[] = [];
  for (let start = 0; start < text.length; ) {
    const space = start + MAX_PIECE < text.length ? text.lastIndexOf(' ', start + MAX_PIECE) : -1;
    const end = space > start ? space : start + MAX_PIECE;
    levels.push(...bidi.getEmbeddingLevels(inBasicPlane(text.slice(start, end)), direction).levels);
    start = end;
  }
  return levels;
}

/** The library knows the characters of the basic plane only, so others are read as two of the same kind. */
const inBasicPlane = (text: string) =>
  text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
    RTL_CHARACTER.test(character) ? '\u05d0\u05d0' : /\p{L}/u.test(character) ? 'aa' : NEUTRAL.repeat(2),
  );

/** The character that a bracket or sign is replaced by in text from right to left. */
export const mirrorCharacter = (character: string): string => bidi.getMirroredCharacter(character) ?? character;
