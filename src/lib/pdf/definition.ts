import type { Column, Content, Style } from 'pdfmake/interfaces.d.ts';
import type { JSONDocument, Phrasing } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import { walk } from '../document/walk.ts';
import { blocksContent } from './blocks.ts';
import { contentsHeading } from './contents-heading.ts';
import {
  destinationName,
  endSide,
  inReadingOrder,
  marginOf,
  type PdfPrinting,
  printedLink,
  startSide,
} from './context.ts';
import { TEXT } from './fonts.ts';
import { labelWithSign, signRuns } from './icons.ts';
import { plainRuns } from './runs.ts';
import type { PdfPage } from './source.ts';
import { GAP, INK, LINK, PAGE } from './styles.ts';

export const DEFAULT_STYLE: Style = { font: TEXT, fontSize: 10.5, lineHeight: 1.3, color: INK.black };

/** Data about a page in lists of pages. */
export type ListedPage = Pick<PdfPage, 'pageId' | 'title' | 'emoji' | 'icon'>;

/** An entry of the table of contents. */
export interface ContentsEntry {
  page: ListedPage & Pick<PdfPage, 'depth'>;
  /** Number of the sheet that the page begins on. */
  sheet: number;
}

/** The link targets within a body: its headings. */
export function destinationsIn(pageId: string, body: JSONDocument): string[] {
  const destinations: string[] = [];
  walk(body, (node) => {
    if (node.object !== 'block') return;
    if (node.type !== 'heading-1' && node.type !== 'heading-2' && node.type !== 'heading-3') return;
    const anchor = node.meta?.id ?? node.data.id;
    if (anchor !== undefined) destinations.push(destinationName(pageId, anchor));
  });
  return destinations;
}

/** The first sheet of a PDF of several pages. */
export function coverContent(printing: PdfPrinting): Content[] {
  const { title, subtitle, date } = printing.source;
  return [
    {
      canvas: [
        { type: 'rect', x: printing.direction === 'rtl' ? printing.width - 48 : 0, y: 0, w: 48, h: 5, color: LINK },
      ],
      margin: [0, 200, 0, 24],
    },
    { text: plainRuns(printing, title, { bold: true }), fontSize: 34, margin: [0, 0, 0, 12], lineHeight: 1.1 },
    { text: plainRuns(printing, subtitle ?? ''), fontSize: 15, color: INK.grey, margin: [0, 0, 0, 8] },
    { text: plainRuns(printing, date), color: INK.grey },
  ];
}

const NUMBER_WIDTH = 36;
const NUMBER_GAP = 12;
const INDENT_WIDTH = 16;

/** The table of contents. Its number of sheets does not depend on the numbers of the entries. */
export function contentsContent(printing: PdfPrinting, entries: readonly ContentsEntry[]): Content[] {
  const isNested = entries.some(({ page }) => page.depth > 0);
  return [
    {
      text: plainRuns(printing, contentsHeading(printing.source.language), { bold: true }),
      fontSize: 24,
      lineHeight: 1.1,
      margin: [0, 0, 0, 16],
    },
    ...entries.map((entry, index) =>
      contentsLine(printing, entry, { isTop: isNested && entry.page.depth === 0, isFirst: index === 0 }),
    ),
  ];
}

function contentsLine(
  printing: PdfPrinting,
  { page, sheet }: ContentsEntry,
  { isTop, isFirst }: { isTop: boolean; isFirst: boolean },
): Content {
  const look = { linkToDestination: destinationName(page.pageId), ...(isTop ? { bold: true } : { color: INK.dim }) };
  const indent = page.depth * INDENT_WIDTH;
  const width = Math.max(NUMBER_WIDTH, printing.width - indent - NUMBER_WIDTH - NUMBER_GAP);
  const line: Content = {
    columns: inReadingOrder<Column>(printing, [
      { width, text: labelWithSign(printing, signRuns(printing, page, look), plainRuns(printing, page.title, look)) },
      { width: NUMBER_WIDTH, text: plainRuns(printing, String(sheet), look), alignment: endSide(printing) },
    ]),
    columnGap: NUMBER_GAP,
    fontSize: isTop ? 11 : 10,
    margin: marginOf(printing, [indent, isTop && !isFirst ? 6 : 0, 0, isTop ? 3 : 1]),
    unbreakable: true,
  };
  if (!isTop || isFirst) return line;
  const rule: Content = {
    canvas: [{ type: 'line', x1: 0, y1: 0, x2: printing.width, y2: 0, lineWidth: 0.5, lineColor: INK.line }],
    margin: [0, 7, 0, 0],
  };
  return { stack: [rule, line], unbreakable: true };
}

/**
 * A page: its title, its description and its body. A page without any text, such as a group, lists the pages directly
 * below it.
 */
export function pageContent(printing: PdfPrinting, page: PdfPage, below: readonly ListedPage[] = []): Content[] {
  const change: Content[] = page.change
    ? [{ text: plainRuns(printing, page.change, { color: LINK, italics: true }), margin: [0, 0, 0, GAP] }]
    : [];
  const about: Content[] = page.description
    ? [{ text: plainRuns(printing, page.description), fontSize: 12, color: INK.grey, margin: [0, 0, 0, 14] }]
    : [];
  return [
    {
      text: labelWithSign(
        printing,
        signRuns(printing, page),
        plainRuns(printing, page.title, page.target && printedLink(printing, page.target)),
      ),
      bold: true,
      id: destinationName(page.pageId),
      fontSize: 24,
      lineHeight: 1.1,
      margin: [0, 0, 0, 12],
      outline: true,
      outlineText: page.title,
      ...(page.parentId !== undefined && { outlineParentId: page.parentId }),
    } as Content, // the types of pdfmake know an entry in the outline only without an id
    ...change,
    ...about,
    ...(isEmpty(page.body) ? below.map((each) => listed(printing, each)) : blocksContent(printing, page.body.nodes)),
  ];
}

const isEmpty = (body: JSONDocument | undefined): body is undefined =>
  body === undefined || body.nodes.every((node) => node.type === 'paragraph' && node.nodes.every(isBlank));

const isBlank = (node: Phrasing) => node.object === 'text' && textOf(node).trim() === '';

function listed(printing: PdfPrinting, page: ListedPage): Content {
  const look = { linkToDestination: destinationName(page.pageId), color: LINK };
  return {
    text: labelWithSign(printing, signRuns(printing, page, look), plainRuns(printing, page.title, look)),
    fontSize: 12,
    margin: [0, 0, 0, 6],
  };
}

/** The title and the number of the sheet. */
export const footerContent = (printing: PdfPrinting, sheet: number): Content => ({
  columns: inReadingOrder<Column>(printing, [
    { text: plainRuns(printing, printing.source.title), alignment: startSide(printing), color: INK.grey },
    { width: NUMBER_WIDTH, text: String(sheet), alignment: endSide(printing), color: INK.grey },
  ]),
  fontSize: 8,
  margin: [PAGE.margins[0], 24, PAGE.margins[2], 0],
});

/** Blocks that begin this low on a sheet have hardly any of their text on it. */
const LOW_ON_SHEET_RATIO = 0.9;
const LOWER_HALF = 0.5;

interface Placed {
  headlineLevel?: number;
  startPosition: { verticalRatio: number };
}

/** Whether a heading goes to the next sheet, so that it stays with its text. */
export function breaksBefore(
  { headlineLevel, startPosition: { verticalRatio } }: Placed,
  nodes: { getFollowingNodesOnPage(): readonly unknown[] },
): boolean {
  if (headlineLevel !== 1 || verticalRatio < LOWER_HALF) return false;
  return verticalRatio > LOW_ON_SHEET_RATIO || nodes.getFollowingNodesOnPage().length === 0;
}
