import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.d.ts';
import { blocksContent } from './blocks.ts';
import { destination, linkOf, type Printing } from './context.ts';
import { type FontFamily, TEXT } from './fonts.ts';
import { plainRuns } from './inlines.ts';
import type { PdfPage, PdfSource } from './source.ts';
import { GAP, INK, LINK, PAGE } from './styles.ts';

/**
 * The definition of a PDF: a cover, a table of contents with page numbers, and the pages, each starting on a new sheet, with
 * an outline for the sidebar of viewers. A single page has neither cover nor table of contents.
 */
export function pdfDefinition(
  source: PdfSource,
  families: { text: readonly FontFamily[]; mono: readonly FontFamily[] },
): TDocumentDefinitions {
  const printing: Printing = {
    source,
    families,
    pageId: '',
    pageIds: new Set(source.pages.map(({ pageId }) => pageId)),
  };
  const isBook = source.pages.length > 1;
  const pages = source.pages.flatMap((page, index) =>
    pageContent({ ...printing, pageId: page.pageId }, page, { isBook, isFirst: index === 0 }),
  );
  return {
    content: isBook ? [...cover(printing), contents(printing), ...pages] : pages,
    pageSize: 'A4',
    pageMargins: PAGE.margins,
    info: { title: source.title },
    ...(source.language && { language: source.language }),
    defaultStyle: { font: TEXT, fontSize: 10.5, lineHeight: 1.25, color: INK.black },
    images: Object.fromEntries(
      Object.entries(source.images).flatMap(([id, image]) => (image.kind === 'bitmap' ? [[id, image.dataUrl]] : [])),
    ),
    // Keep headings with the following content.
    pageBreakBefore: ({ headlineLevel }, nodes) => headlineLevel === 1 && nodes.getFollowingNodesOnPage().length === 0,
    footer: (sheet) => footer(printing, sheet, isBook),
  };
}

function cover(printing: Printing): Content[] {
  const { title, subtitle, date } = printing.source;
  return [
    { text: plainRuns(printing, title, { bold: true }), fontSize: 32, margin: [0, 220, 0, 12], lineHeight: 1.1 },
    { text: plainRuns(printing, subtitle ?? ''), fontSize: 15, color: INK.grey, margin: [0, 0, 0, 8] },
    { text: plainRuns(printing, date), color: INK.grey },
  ];
}

const contents = (printing: Printing): Content => ({
  toc: {
    title: {
      text: plainRuns(printing, 'Contents', { bold: true }),
      fontSize: 20,
      margin: [0, 0, 0, 14],
      pageBreak: 'before',
    },
  },
});

function pageContent(
  printing: Printing,
  page: PdfPage,
  { isBook, isFirst }: { isBook: boolean; isFirst: boolean },
): Content[] {
  const breaks = isBook || !isFirst;
  const change: Content[] = page.change
    ? [{ text: plainRuns(printing, page.change, { color: LINK, italics: true }), margin: [0, 0, 0, GAP] }]
    : [];
  const about: Content[] = page.description
    ? [{ text: plainRuns(printing, page.description), fontSize: 12, color: INK.grey, margin: [0, 0, 0, 14] }]
    : [];
  return [
    {
      text: plainRuns(printing, page.title, page.target && linkOf(printing, page.target)),
      bold: true,
      id: destination(page.pageId),
      fontSize: 24,
      lineHeight: 1.1,
      margin: [0, 0, 0, 12],
      ...(breaks && { pageBreak: 'before' as const }),
      ...(isBook && {
        tocItem: true,
        tocMargin: [page.depth * 14, page.depth === 0 ? 5 : 1, 0, 0] as [number, number, number, number],
        tocStyle: { bold: page.depth === 0 },
        outline: true,
        outlineText: page.title,
        ...(page.parentId !== undefined && { outlineParentId: page.parentId }),
      }),
    } as Content, // the printer takes an id and an entry in the contents together, its types one of them
    ...change,
    ...about,
    ...(page.body ? blocksContent(printing, page.body.nodes) : []),
  ];
}

function footer(printing: Printing, sheet: number, isBook: boolean): Content {
  if (isBook && sheet === 1) return '';
  return {
    columns: [
      { text: plainRuns(printing, printing.source.title), color: INK.grey },
      { text: String(sheet), alignment: 'right', color: INK.grey },
    ],
    fontSize: 8,
    margin: [PAGE.margins[0], 24, PAGE.margins[2], 0],
  };
}
