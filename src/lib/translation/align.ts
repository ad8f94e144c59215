import type { Phrasing } from '../document/document.ts';
import { type CodedToken, printTokens, readTokens } from './coded-text.ts';
import { joinLine, type PlaceholderContent, type Segment } from './cut-line.ts';

/** A segment of a source and its translation, with placeholders that are numbered as in the source. */
export interface SegmentPair {
  /** Position in the line. Null for a whole line, if its translation has another number of sentences. */
  segment: number | null;
  source: string;
  /** Undefined if the translation does not have the placeholders of the source. */
  target: string | undefined;
  /** Nodes behind the placeholders in the translation, or else in the source, by their number less one. */
  placeholders: readonly PlaceholderContent[];
}

/** The pairs of a line and its translation. Segments without a letter are left out. */
export function alignLine(source: readonly Segment[], target: readonly Segment[]): SegmentPair[] {
  if (source.length !== target.length) {
    const whole = pairOf(null, wholeOf(source), wholeOf(target));
    return source.some(({ isTranslatable }) => isTranslatable) ? [whole] : [];
  }
  return source.flatMap((own, index) => {
    const other = target[index];
    return own.isTranslatable && other ? [pairOf(index, own, other)] : [];
  });
}

/** A text with the nodes behind the placeholders of a pair. */
export const nodesOf = ({ placeholders }: SegmentPair, target: string): Phrasing[] =>
  joinLine([{ text: target, placeholders: [...placeholders], before: '', after: '', isTranslatable: true }], []);

function pairOf(segment: number | null, source: Segment, target: Segment): SegmentPair {
  const numbers = sameHeld(source.placeholders, target.placeholders);
  const byNumber = new Map(numbers.map((number, index) => [number, target.placeholders[index]]));
  const placeholders = source.placeholders.map((part, index) => byNumber.get(index + 1) ?? part);
  if (source.placeholders.length !== target.placeholders.length)
    return { segment, source: source.text, target: undefined, placeholders };
  const tokens = readTokens(target.text).map(
    (token): CodedToken => (token.kind === 'text' ? token : { ...token, number: numbers[token.number - 1] ?? 0 }),
  );
  const isWhole = numbers.every((number) => number > 0);
  return { segment, source: source.text, target: isWhole ? printTokens(tokens) : undefined, placeholders };
}

/**
 * The number in the source for each placeholder of the translation; 0 if there is none. Equal ones first, then those of
 * the same kind.
 */
function sameHeld(source: readonly PlaceholderContent[], target: readonly PlaceholderContent[]): number[] {
  const numbers = target.map(() => 0);
  const used = new Set<number>();
  for (const keyOf of [exactly, kindOf]) {
    // The last is taken first, so they are in reverse.
    const free = new Map<string, number[]>();
    for (const [index, part] of [...source.entries()].reverse()) {
      if (used.has(index + 1)) continue;
      const same = free.get(keyOf(part));
      if (same) same.push(index + 1);
      else free.set(keyOf(part), [index + 1]);
    }
    for (const [index, part] of target.entries()) {
      const number = numbers[index] === 0 ? free.get(keyOf(part))?.pop() : undefined;
      if (number === undefined) continue;
      numbers[index] = number;
      used.add(number);
    }
  }
  return numbers;
}

/** Contents are translated, and keys differ. */
const exactly = (part: PlaceholderContent): string =>
  JSON.stringify(part, (name, value) =>
    name === 'key' || name === 'nodes' || name === 'fragments' ? undefined : value,
  );

function kindOf(part: PlaceholderContent): string {
  if ('around' in part) return `around ${part.around.type}`;
  if ('inline' in part) return `inline ${part.inline.type}`;
  return 'marks' in part ? `marks ${JSON.stringify(part.marks)}` : JSON.stringify(part.leaf);
}

/** A line as one segment. */
function wholeOf(segments: readonly Segment[]): Segment {
  const placeholders: PlaceholderContent[] = [];
  const tokens = segments.flatMap(({ text: coded, before, after, placeholders: parts }): CodedToken[] => {
    const offset = placeholders.length;
    placeholders.push(...parts);
    const numbered = readTokens(coded).map(
      (token): CodedToken => (token.kind === 'text' ? token : { ...token, number: token.number + offset }),
    );
    return [{ kind: 'text', value: before }, ...numbered, { kind: 'text', value: after }];
  });
  const isTranslatable = segments.some((each) => each.isTranslatable);
  return { text: printTokens(tokens).trim(), placeholders, before: '', after: '', isTranslatable };
}
