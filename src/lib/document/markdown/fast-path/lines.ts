import type { Position } from 'unist';

/** Lines of a text, from an index that is a line of the document. */
export interface Lines {
  texts: readonly string[];
  from: number;
  /** Number of the line at the index, from 1. */
  line: number;
}

/** A position that is known by its lines, and its column if one is given. */
export function positionOfLines(line: number, last = line, column = 1): Position {
  return { start: { line, column }, end: { line: last, column: 1 } };
}
