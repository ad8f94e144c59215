import type { Content } from 'pdfmake/interfaces.d.ts';
import type { TextDirection } from '../text-direction.ts';
import { GAP, INK } from './styles.ts';

/** A paragraph with the usual indentation and margin. */
export const GAP_BELOW: [number, number, number, number] = [0, 0, 0, GAP];

/** Content without the space below its last part. */
export function withoutGapBelow(content: Content[]): Content[] {
  const last = content.at(-1);
  if (typeof last !== 'object' || Array.isArray(last) || !('margin' in last) || !Array.isArray(last.margin)) {
    return content;
  }
  const [left, top, right] = last.margin as number[];
  return [...content.slice(0, -1), { ...last, margin: [left ?? 0, top ?? 0, right ?? 0, 0] } as Content];
}

/** Content without the space above its first part. */
export function flush(content: Content[]): Content[] {
  const [first, ...others] = content;
  if (typeof first !== 'object' || Array.isArray(first) || !('margin' in first) || !Array.isArray(first.margin)) {
    return content;
  }
  const [left, , right, below] = first.margin as number[];
  return [{ ...first, margin: [left ?? 0, 0, right ?? 0, below ?? 0] } as Content, ...others];
}

/** Content that goes to the next sheet as a whole if it does not fit. For content that is much shorter than a sheet. */
export const unbreakable = (content: Content): Content => ({ ...(content as object), unbreakable: true }) as Content;

/*
 * Boxes have a width in points, sides included. A column that takes the room that there is would grow with the longest
 * word, beyond the sheet.
 */

/** Content on a colored background with a bar before its lines. It can break across pages. */
export const barBox = (
  content: Content[],
  { width, direction }: { width: number; direction: TextDirection },
  { bar, ground }: { bar: string; ground?: string },
): Content => ({
  table: {
    widths: [inside(width, BAR_SIDES)],
    body: [[{ stack: flush(withoutGapBelow(content)), ...(ground && { fillColor: ground }) }]],
  },
  layout: {
    hLineWidth: () => 0,
    vLineWidth: (line) => (line === (direction === 'rtl' ? 1 : 0) ? BAR_WIDTH : 0),
    vLineColor: () => bar,
    paddingLeft: () => (direction === 'rtl' ? 8 : 10),
    paddingRight: () => (direction === 'rtl' ? 10 : 8),
    paddingTop: () => 6,
    paddingBottom: () => 6,
  },
  margin: GAP_BELOW,
});

/** Part of the width that the sides of these boxes take. */
const BAR_WIDTH = 3;
const LINE_WIDTH = 0.7;
export const BAR_SIDES = 18 + BAR_WIDTH;
export const GREY_SIDES = 16;
export const LINE_SIDES = 20 + 2 * LINE_WIDTH;

const inside = (width: number, sides: number): number => Math.max(24, width - sides);

/** Content in a frame, for links to pages, files and other sites. */
export const lineBox = (content: Content[], width: number): Content => ({
  table: { widths: [inside(width, LINE_SIDES)], body: [[{ stack: content }]] },
  layout: {
    hLineColor: () => INK.line,
    vLineColor: () => INK.line,
    hLineWidth: () => LINE_WIDTH,
    vLineWidth: () => LINE_WIDTH,
    paddingLeft: () => 10,
    paddingRight: () => 10,
    paddingTop: () => 7,
    paddingBottom: () => 7,
  },
  unbreakable: true,
  margin: GAP_BELOW,
});

/** Content on a grey background, for code. */
export const greyBox = (content: Content[], width: number): Content => ({
  table: { widths: [inside(width, GREY_SIDES)], body: [[{ stack: content, fillColor: INK.paleGrey }]] },
  layout: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: () => 8,
    paddingRight: () => 8,
    paddingTop: () => 6,
    paddingBottom: () => 6,
  },
  margin: GAP_BELOW,
});
