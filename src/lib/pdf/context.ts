import type { ContentRef } from '../document/content-ref.ts';
import type { Highlight } from '../highlight-code.ts';
import type { TextDirection } from '../text-direction.ts';
import { type FontFamily, type FontRun, runsByFont } from './fonts.ts';
import { type PdfBook, type PdfTarget, refKey } from './source.ts';

/** Target of a link: inside or outside of the PDF. */
export interface PdfLinkTarget {
  linkToDestination?: string;
  link?: string;
}

/** Context for printing a page. */
export interface PdfPrinting {
  source: PdfBook;
  /** The pages in the PDF and their headings, as names of link targets. */
  destinations: ReadonlySet<string>;
  pageId: string;
  /** Colors code. Undefined for code without a known language. */
  highlight: Highlight;
  families: { text: readonly FontFamily[]; mono: readonly FontFamily[] };
  /** The glyph of an icon by its name in Font Awesome, such as `gear` or `github`. Undefined if there is none. */
  icon(name: string): FontRun | undefined;
  /** The width that content has here, in points. */
  width: number;
  /** The side where lines begin, rows are read from, and lists have their marks. */
  direction: TextDirection;
}

/** The same within a part of the sheet of this width. */
export const withinWidth = (printing: PdfPrinting, width: number): PdfPrinting => ({
  ...printing,
  width: Math.max(24, width),
});

/** Items side by side, in reading order. */
export const inReadingOrder = <T>({ direction }: Pick<PdfPrinting, 'direction'>, parts: readonly T[]): T[] =>
  direction === 'rtl' ? parts.toReversed() : [...parts];

/** The side where lines begin, and the other one. */
export const startSide = ({ direction }: PdfPrinting): 'left' | 'right' => (direction === 'rtl' ? 'right' : 'left');
export const endSide = ({ direction }: PdfPrinting): 'left' | 'right' => (direction === 'rtl' ? 'left' : 'right');

/** A margin by its sides in reading order, as pdfmake has it: left, top, right, bottom. */
export const marginOf = (
  { direction }: PdfPrinting,
  [before, top, after, bottom]: readonly [number, number, number, number],
): [number, number, number, number] =>
  direction === 'rtl' ? [after, top, before, bottom] : [before, top, after, bottom];

export const runsOf = ({ families }: PdfPrinting, text: string, isMono: boolean): FontRun[] =>
  runsByFont(text, isMono ? families.mono : families.text);

export const pdfTarget = ({ source }: PdfPrinting, ref: ContentRef): PdfTarget | undefined =>
  source.targets[refKey(ref)];

/** The name of the link target for a page or a heading. */
export const destinationName = (pageId: string, anchor?: string) => (anchor ? `${pageId}#${anchor}` : pageId);

/** The target of a reference; undefined if the reader cannot follow it. */
export function printedLink(printing: PdfPrinting, ref: ContentRef): PdfLinkTarget {
  if (ref.kind === 'url') return webLink(ref.url);
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    const pageId = ref.page ?? printing.pageId;
    const pageDestination = destinationName(pageId);
    if (printing.destinations.has(pageDestination) && ref.space === undefined) {
      const part = ref.kind === 'anchor' ? destinationName(pageId, ref.anchor) : pageDestination;
      return { linkToDestination: printing.destinations.has(part) ? part : pageDestination };
    }
  }
  const url = pdfTarget(printing, ref)?.url;
  return url === undefined ? {} : webLink(url);
}

const FOLLOWED = /^(?:https?:|mailto:|tel:)/i;

/** URLs with other schemes are not linked: a viewer could execute them. */
export const webLink = (url: string): PdfLinkTarget => (FOLLOWED.test(url) ? { link: url } : {});
