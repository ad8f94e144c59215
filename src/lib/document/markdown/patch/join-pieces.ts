import { linesOf } from './lines-of.ts';
import type { SourceUnits } from './source-units.ts';

/** A part of the patched text. */
export interface Piece {
  text: string;
  /** The unit of the source that is or was here. */
  unit?: number;
  isNew?: boolean;
}

/**
 * The whole text: pieces with the comments and definitions that followed their units, and the bytes between units that
 * are still neighbours. With `isApart`, empty lines surround everything that is new.
 */
export function joinPieces(
  source: SourceUnits,
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
function withLoose({ units }: SourceUnits, pieces: readonly Piece[], keepsNotes: boolean): Piece[] {
  const present = new Set(pieces.map(({ unit }) => unit));
  const used = keepsNotes ? undefined : notesIn([...pieces, ...units.filter(({ footnote }) => footnote !== undefined)]);
  const loose = new Map<number, Piece[]>();
  let last = -1;
  for (const [i, { blocks, footnote, text }] of units.entries()) {
    if (blocks.length > 0) {
      if (present.has(i)) last = i;
    } else if (footnote === undefined || !used || used.has(footnote)) {
      const after = loose.get(last) ?? [];
      after.push({ text, unit: i });
      loose.set(last, after);
    }
  }
  return [
    ...(loose.get(-1) ?? []),
    ...pieces.flatMap((piece, i) => {
      const isLast = piece.unit !== undefined && pieces[i + 1]?.unit !== piece.unit;
      return isLast ? [piece, ...(loose.get(piece.unit ?? -1) ?? [])] : [piece];
    }),
  ];
}

/** Labels of the footnotes that these texts refer to. A definition is no reference to itself. */
function notesIn(texts: readonly { text: string }[]): Set<string> {
  const references = texts.flatMap(({ text }) => [...text.replaceAll(DEFINITION, '').matchAll(REFERENCE)]);
  return new Set(references.map(([, label = '']) => label));
}

/** The start of a footnote, which may stand in containers. */
const DEFINITION = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*\[\^[^\][\n]{1,999}\]:/gm;
const REFERENCE = /\[\^([^\][\n]{1,999})\]/g;

/** The text of a child, and its place among the previous children; absent for new ones. */
export interface PatchedChild {
  at?: number;
  text: string;
}

/** Joins children with the gaps between them: those of the source between neighbours, others like the first gap. */
export function joinChildren(children: readonly PatchedChild[], gaps: readonly string[], lineEnd: string): string {
  const usual = gaps[0] ?? lineEnd;
  return children
    .map(({ at, text }, i) => {
      const next = children[i + 1];
      if (!next) return text;
      const isNeighbour = at !== undefined && next.at === at + 1;
      return text + (isNeighbour ? (gaps[at] ?? usual) : usual);
    })
    .join('');
}
