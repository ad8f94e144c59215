import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import githubLight from '@shikijs/themes/github-light';
import { highlighterFor } from '../../../lib/highlight-code.ts';
import type { PdfPrinting } from '../../../lib/pdf/context.ts';
import {
  type ContentsEntry,
  contentsContent,
  coverContent,
  footerContent,
  pageContent,
} from '../../../lib/pdf/definition.ts';
import { iconLookup } from '../../../lib/pdf/icons.ts';
import { leftOutNote } from '../../../lib/pdf/left-out-note.ts';
import { WIDTH } from '../../../lib/pdf/styles.ts';
import { directionOfContent } from '../../../lib/text-direction.ts';
import { familyIn } from './font-families.ts';
import { fontFilesWith } from './font-files.ts';
import { iconFonts, readIconSets } from './icon-files.ts';
import { type PrintInput, readInput } from './read-input.ts';
import { SheetPrinter } from './sheet-printer.ts';

/*
 * Runs as a separate process that can only read code and fonts, because neither the content nor the libraries that
 * print it are trusted. Reads lines of JSON (`PrintLine`) and writes the PDF: a cover, a table of contents with numbers
 * of sheets, and the pages, each starting on a new sheet. A single page has neither cover nor table of contents.
 */

async function print(input: PrintInput, printing: PdfPrinting, printer: SheetPrinter): Promise<void> {
  const isBook = input.pages.length > 1;
  const unknown = input.pages.map((page): ContentsEntry => ({ page, sheet: 0 }));
  const before = isBook ? 1 + printer.measure(contentsContent(printing, unknown)) : 0;
  const children = Map.groupBy(input.pages, ({ parentId }) => parentId);
  const entries: ContentsEntry[] = [];
  for (const page of input.pages) {
    const first = before + printer.sheets;
    entries.push({ page, sheet: first + 1 });
    const pagePrinting = { ...printing, pageId: page.pageId };
    const note = isBook ? [] : leftOutNote(pagePrinting);
    printer.print([...pageContent(pagePrinting, page.load(), children.get(page.pageId)), ...note], (sheet) =>
      footerContent(pagePrinting, first + sheet),
    );
    // Lets the output leave the memory.
    await setImmediate();
  }
  const printed = printer.sheets;
  if (isBook) {
    printer.print([...coverContent(printing), ...leftOutNote(printing)]);
    printer.print(contentsContent(printing, entries), (sheet) => footerContent(printing, 1 + sheet));
  }
  printer.end({ moveToFront: printed });
}

const input = await readInput(process.stdin);
const { text, wide, mono, emoji, asian, further } = fontFilesWith(input.furtherFonts);
const others = [...further, emoji, ...asian].map(familyIn);
const [first, second, fixed] = [familyIn(text), familyIn(wide), familyIn(mono)];
const direction = directionOfContent(
  input.book.language,
  input.pages.map(({ title }) => title),
);
const printer = new SheetPrinter({ ...input.book, direction }, input.bitmaps, [
  text,
  wide,
  mono,
  emoji,
  ...further,
  ...asian,
  ...iconFonts,
]);
const printing: PdfPrinting = {
  source: input.book,
  destinations: input.destinations,
  pageId: '',
  highlight: await highlighterFor(input.syntaxes, { ...githubLight, name: 'github-light' }),
  icon: iconLookup(readIconSets),
  width: WIDTH,
  direction,
  families: { text: [first, second, ...others], mono: [fixed, second, ...others] },
};
await Promise.all([pipeline(printer.output, process.stdout), print(input, printing, printer)]);
const { unreadable } = input.book.leftOut;
if (unreadable > 0) process.stderr.write(`\nunreadable images: ${unreadable}\n`);
