import type { Position } from 'unist';

/** A position that is known by its lines, and its column if one is given. */
export function positionOfLines(line: number, last = line, column = 1): Position {
  return { start: { line, column }, end: { line: last, column: 1 } };
}
