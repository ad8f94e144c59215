/** A replacement in a text: the characters from `from` to before `to` become `text`. */
export interface Splice {
  from: number;
  to: number;
  text: string;
}

/** Applies replacements that are sorted and do not overlap. */
export function spliceText(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    parts.push(text.slice(at, splice.from), splice.text);
    at = splice.to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/**
 * Sorts replacements by their place. `overlap` has the indexes of two that overlap, the earlier one in the text first.
 * Two insertions at the same place overlap too, since their order is not known.
 */
export function sortSplices(splices: readonly Splice[]): { sorted: Splice[] } | { overlap: [number, number] } {
  const order = splices.map((_, i) => i).sort((a, b) => compare(splices[a], splices[b]));
  for (const [place, index] of order.entries()) {
    const before = order[place - 1];
    const [last, next] = [splices[before ?? -1], splices[index]];
    if (before === undefined || !last || !next) continue;
    const isSamePlace = last.from === last.to && next.from === next.to && last.from === next.from;
    if (next.from < last.to || isSamePlace) return { overlap: [before, index] };
  }
  return { sorted: order.flatMap((i) => splices[i] ?? []) };
}

const compare = (a: Splice | undefined, b: Splice | undefined): number =>
  (a?.from ?? 0) - (b?.from ?? 0) || (a?.to ?? 0) - (b?.to ?? 0);

/**
 * Where whole lines of a text are after sorted replacements. Undefined if one of them changes these lines. `stretch`
 * ends before the line end of the last line.
 */
export function linesAfter(
  text: string,
  splices: readonly Splice[],
  { from, to }: { from: number; to: number },
): { from: number; to: number } | undefined {
  let [low, high] = [0, splices.length];
  // The first replacement that does not end before the lines.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((splices[middle]?.to ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const above = splices[low];
  if (above?.to === from && above.from < to && endsLine(text, above)) low += 1;
  const below = splices[low];
  if (below && below.from <= to && !(below.from === to && to > from && beginsLine(text, below))) return undefined;
  const moved = shiftBefore(splices, low);
  return { from: from + moved, to: to + moved };
}

/** Whether what follows a replacement is still at the start of a line. */
function endsLine(text: string, { from, text: inserted }: Splice): boolean {
  return inserted === ''
    ? from === 0 || isLineEnd(text.charAt(from - 1))
    : isLineEnd(inserted.charAt(inserted.length - 1));
}

/** Whether what precedes a replacement is still at the end of a line. */
function beginsLine(text: string, { to, text: inserted }: Splice): boolean {
  return inserted === '' ? to === text.length || isLineEnd(text.charAt(to)) : isLineEnd(inserted.charAt(0));
}

const isLineEnd = (character: string): boolean => character === '\n' || character === '\r';

/** The shift that the first replacements cause, remembered for all of them. */
const shifts = new WeakMap<readonly Splice[], number[]>();

function shiftBefore(splices: readonly Splice[], count: number): number {
  let offsets = shifts.get(splices);
  if (!offsets) {
    offsets = [0];
    for (const { from, to, text } of splices) offsets.push((offsets.at(-1) ?? 0) + text.length - (to - from));
    shifts.set(splices, offsets);
  }
  return offsets[count] ?? 0;
}
