import type { Readable } from 'node:stream';
import type { Content } from 'pdfmake/interfaces.d.ts';
import layoutBuilder from 'pdfmake/js/LayoutBuilder.js';
import pdfDocument from 'pdfmake/js/PDFDocument.js';
import renderer from 'pdfmake/js/Renderer.js';
import svgMeasure from 'pdfmake/js/SVGMeasure.js';
import { tableLayouts } from 'pdfmake/js/tableLayouts.js';
import { setLevels } from '../../../lib/pdf/bidi.ts';
import { breaksBefore, DEFAULT_STYLE } from '../../../lib/pdf/definition.ts';
import type { PdfBook } from '../../../lib/pdf/source.ts';
import { PAGE } from '../../../lib/pdf/styles.ts';
import { type PrintedLine, toVisualOrder } from '../../../lib/pdf/visual-order.ts';
import type { TextDirection } from '../../../lib/text-direction.ts';
import type { FontFiles, NamedFonts } from './font-files.ts';

/** The size of A4 in points. */
const SHEET_SIZE = { width: PAGE.width, height: PAGE.height, orientation: 'portrait' } as const;
const [left, top, right, bottom] = PAGE.margins;

/** The ascent and descent that are assumed for all fonts, in thousandths of their size: those of the text font. */
const [ASCENT, DESCENT] = [928, -244];

/** Fonts of all scripts have the same height, so that lines of several scripts are as far apart as others. */
class EvenDocument extends pdfDocument.default {
  override provideFont(family: string, bold: boolean, italics: boolean) {
    return Object.assign(super.provideFont(family, bold, italics), {
      ascender: ASCENT,
      descender: DESCENT,
      lineGap: 0,
    });
  }
}

const opener = new pdfDocument.default({}, {}, {}, {}, { autoFirstPage: false }, null, () => false);

/** Whether the header of a bitmap can be read. An image that cannot be would make printing fail. */
export function canOpen(bytes: Buffer): boolean {
  try {
    opener.openImage(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Sheets between which fonts forget the words that they measured. */
const FORGET_AFTER = 100;

/**
 * Prints one content after the other into one PDF. Fonts, images, links and the outline are shared, and the memory of a
 * content is free once it is printed. pdfmake itself only lays out a whole document at once, so this uses its parts.
 */
export class SheetPrinter {
  readonly #document: InstanceType<typeof pdfDocument.default>;
  readonly #renderer: InstanceType<typeof renderer.default>;
  readonly #direction: TextDirection;
  #forgotten = 0;

  constructor(
    book: Pick<PdfBook, 'title' | 'language'> & { direction: TextDirection },
    bitmaps: Readonly<Record<string, Buffer>>,
    fonts: readonly NamedFonts[],
  ) {
    this.#direction = book.direction;
    const files = Object.fromEntries(fonts.map((font): [string, FontFiles] => [font.name, font.files]));
    const readable = new Set(fonts.flatMap((font) => Object.values(font.files)));
    const options = {
      size: [SHEET_SIZE.width, SHEET_SIZE.height],
      pdfVersion: '1.4',
      compress: true,
      autoFirstPage: false,
      bufferPages: false,
      fontLayoutCache: true,
      info: { Title: book.title, Producer: 'pdfmake', Creator: 'Stemma' },
      displayTitle: true,
      font: null,
      ...(book.language && { lang: book.language }),
    };
    // Opens these fonts and no other file.
    const opens = (path: string) => readable.has(path);
    this.#document = new EvenDocument(files, bitmaps, {}, {}, options, null, opens);
    this.#renderer = new renderer.default(this.#document);
  }

  /** The PDF as it is printed. */
  get output(): Readable {
    return this.#document;
  }

  get sheets(): number {
    return this.#kids.length;
  }

  /** The number of sheets that a content takes. */
  measure(content: Content[]): number {
    return this.#layOut(content).length;
  }

  print(content: Content[], footer?: (sheet: number) => Content): void {
    this.#renderer.renderPages(this.#layOut(content, footer));
    if (this.sheets < this.#forgotten + FORGET_AFTER) return;
    this.#forgotten = this.sheets;
    for (const styles of Object.values(this.#document.fontCache)) {
      for (const font of Object.values(styles)) if (font.layoutCache) font.layoutCache = Object.create(null);
    }
  }

  /** Moves the sheets after the first `from` ones to the front, and ends the PDF. */
  end({ moveToFront: from }: { moveToFront: number }): void {
    const kids = this.#kids;
    kids.unshift(...kids.splice(from));
    this.#document.end();
  }

  get #kids() {
    return this.#document._root.data.Pages.data.Kids;
  }

  #layOut(content: Content[], footer?: (sheet: number) => Content) {
    setLevels(content, this.#direction);
    const builder = new layoutBuilder.default(SHEET_SIZE, { left, top, right, bottom }, new svgMeasure.default());
    builder.registerTableLayouts(tableLayouts);
    const isTurned = this.#direction === 'rtl';
    const sheets = builder.layoutDocument(
      content,
      this.#document,
      {},
      isTurned ? { ...DEFAULT_STYLE, alignment: 'right' } : DEFAULT_STYLE,
      undefined,
      undefined,
      footer && ((sheet) => withLevels(footer(sheet), this.#direction)),
      undefined,
      breaksBefore,
    );
    for (const { items } of sheets)
      for (const { type, item } of items) if (type === 'line') toVisualOrder(item as PrintedLine);
    return sheets;
  }
}

function withLevels(content: Content, direction: TextDirection): Content {
  setLevels([content], direction);
  return content;
}
