import { linesOf, type SourceText } from './source-units.ts';

/** A part of the patched text. */
export interface Piece {
  text: string;
  /** The unit of the source that stands or stood here. */
  unit?: number;
  isNew?: boolean;
}

/**
 * The whole text: pieces with the comments and definitions that followed their units, and the bytes between units that
 * are still neighbours. With `isApart`, empty lines surround everything that is new.
 */
export function joinPieces(
  source: SourceText,
  pieces: readonly Piece[],
  isApart: boolean,
  keepsNotes: boolean,
): string {
  const all = withLoose(source, pieces, keepsNotes);
  const { gaps, lineEnd } = source;
  const empty = lineEnd + lineEnd;
  const parts = [source.head];
  for (const [i, piece] of all.entries()) {
    const next = all[i + 1];
    parts.push(piece.text);
    if (!next) break;
    const gap =
      next.unit === undefined || piece.unit === undefined || next.unit <= piece.unit ? '' : (gaps[next.unit - 1] ?? '');
    const isNeighbour = piece.unit !== undefined && next.unit === piece.unit + 1;
    const isKept = isNeighbour && !(isApart && (piece.isNew || next.isNew));
    parts.push(isKept || linesOf(gap).length > 1 ? gap || empty : empty);
  }
  if (all.length > 0) parts.push(gaps.at(-1) ?? lineEnd);
  return parts.join('');
}

/** Adds comments and definitions after the last piece before them. Footnotes without a reference are left out. */
function withLoose({ units }: SourceText, pieces: readonly Piece[], keepsNotes: boolean): Piece[] {
  const present = new Set(pieces.map(({ unit }) => unit));
  const loose = new Map<number, number[]>();
  let last = -1;
  const written = pieces.map(({ text }) => text).join('\n');
  for (const [i, unit] of units.entries()) {
    if (unit.blocks.length > 0) {
      if (present.has(i)) last = i;
    } else if (unit.footnote === undefined || keepsNotes || isUsed(units, i, written)) {
      loose.set(last, [...(loose.get(last) ?? []), i]);
    }
  }
  const after = (unit: number): Piece[] =>
    (loose.get(unit) ?? []).map((i) => ({ text: units[i]?.text ?? '', unit: i }));
  return [
    ...after(-1),
    ...pieces.flatMap((piece, i) => {
      const isLast = piece.unit !== undefined && pieces[i + 1]?.unit !== piece.unit;
      return isLast ? [piece, ...after(piece.unit ?? -1)] : [piece];
    }),
  ];
}

function isUsed(units: SourceText['units'], note: number, written: string): boolean {
  const reference = `[^${units[note]?.footnote}]`;
  return (
    written.includes(reference) ||
    units.some((unit, i) => i !== note && unit.footnote !== undefined && unit.text.includes(reference))
  );
}
