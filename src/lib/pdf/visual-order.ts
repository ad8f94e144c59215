import { mirrorCharacter } from './bidi.ts';

/** A piece of a line, as pdfmake lays it out. */
export interface LineInline {
  text: string;
  /** From the beginning of the line. */
  x: number;
  width: number;
  leadingCut: number;
  trailingCut: number;
  fontSize: number;
  font: { widthOfString(text: string, size: number, features: unknown): number };
  fontFeatures?: unknown;
  level?: number;
  baseLevel?: number;
}

export interface PrintedLine {
  inlines: LineInline[];
}

/**
 * Puts the pieces of a line into the order in which they are seen (UAX #9, L1 to L4), if it has text from right to
 * left. The width of the line stays the same.
 */
export function toVisualOrder(line: PrintedLine): void {
  if (!line.inlines.some(({ level = 0 }) => level > 0)) return;
  let x = 0;
  line.inlines = reordered(segmentsOf(line.inlines)).map((segment) => {
    const placed = { ...segment, x, text: drawn(segment) };
    x += segment.width;
    return placed;
  });
}

const levelOf = ({ level, baseLevel }: LineInline) => level ?? baseLevel ?? 0;

/**
 * Spaces and words apart, because fonts reverse each word for itself. Without spaces at the ends, which the line cuts
 * off.
 */
function segmentsOf(inlines: readonly LineInline[]): LineInline[] {
  const segments = inlines.flatMap((inline, index) => {
    const isCutBefore = index === 0 && inline.leadingCut > 0;
    const isCutAfter = index === inlines.length - 1 && inline.trailingCut > 0;
    const start = isCutBefore ? inline.text.trimStart() : inline.text;
    const text = isCutAfter ? start.trimEnd() : start;
    if (levelOf(inline) % 2 === 0) return [sized(inline, text)];
    return (text.match(/\s+|\S+/g) ?? []).map((part) => sized(inline, part));
  });
  for (const segment of segments.toReversed()) {
    if (segment.text.trim() !== '') break;
    segment.level = segment.baseLevel ?? 0;
  }
  return segments;
}

const sized = (inline: LineInline, text: string): LineInline => ({
  ...inline,
  text,
  width:
    text === inline.text ? inline.width : inline.font.widthOfString(text, inline.fontSize, inline.fontFeatures ?? null),
  leadingCut: 0,
  trailingCut: 0,
});

/** From the highest level to the lowest odd one, reverses all that is on that level or above. */
function reordered(segments: readonly LineInline[]): LineInline[] {
  const order = [...segments];
  for (let level = Math.max(...order.map(levelOf)); level > 0; level -= 1) {
    for (let start = 0; start < order.length; start += 1) {
      let end = start;
      while (end < order.length && levelOf(order[end] as LineInline) >= level) end += 1;
      order.splice(start, end - start, ...order.slice(start, end).toReversed());
      start = Math.max(start, end);
    }
  }
  return order;
}

/** Scripts that fonts treat as right-to-left and reverse themselves, whatever the direction. */
const REVERSED_SCRIPT =
  /^[\p{Script=Common}\p{Script=Inherited}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The text that shows a segment in its direction: mirrored, and reversed unless the font does that. */
function drawn(segment: LineInline): string {
  const { text } = segment;
  const isRightToLeft = levelOf(segment) % 2 === 1;
  const characters = isRightToLeft ? [...text].map(mirrorCharacter) : [...text];
  const isReversed = REVERSED_SCRIPT.test(text);
  return (isReversed === isRightToLeft ? characters : characters.toReversed()).join('');
}
