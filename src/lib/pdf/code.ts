import type { Content } from 'pdfmake/interfaces.d.ts';
import type { BlockOf } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import type { CodePart } from '../highlight-code.ts';
import { GREY_SIDES, greyBox, unbreakable } from './boxes.ts';
import type { PdfPrinting } from './context.ts';
import { textRuns } from './inlines.ts';
import { plainRuns } from './runs.ts';
import { INK } from './styles.ts';

/** Text in the form that it was written in. */
export const sourceContent = (printing: PdfPrinting, source: string): Content =>
  greyBox(
    [{ text: plainRuns(printing, source, { isMono: true }), fontSize: 8.5, ...LEFT_TO_RIGHT } as Content],
    printing.width,
  );

/** Code keeps its lines and their indentation. Long lines wrap. */
export function codeContent(printing: PdfPrinting, block: BlockOf<'code'>): Content[] {
  const colored = printing.highlight(block.nodes.map(textOf).join('\n'), block.data.syntax);
  const lines = block.nodes.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ text: '\n', font: 'Mono' }]),
    ...codeLine(printing, line, colored?.[index]),
  ]);
  const { title } = block.data;
  const head: Content[] = title
    ? [{ text: plainRuns(printing, title, { color: INK.grey }), fontSize: 8.5, margin: [0, 0, 0, 4] }]
    : [];
  const text: Content = {
    text: lines.length > 0 ? lines : ' ',
    fontSize: 8.5,
    preserveLeadingSpaces: true,
    preserveTrailingSpaces: true,
    ...LEFT_TO_RIGHT,
  };
  const box = greyBox([...head, text], printing.width);
  return [isShort(printing, block) ? unbreakable(box) : box];
}

/** Code has its lines on the left, whatever is in them and around it. */
const LEFT_TO_RIGHT = { alignment: 'left', direction: 'ltr' } as const;

/** Lines of code that stay on one sheet. */
const MAX_WHOLE = 16;
/** The width of a character of code. */
const CHARACTER_WIDTH = 5.2;

function isShort({ width }: PdfPrinting, { nodes }: BlockOf<'code'>): boolean {
  if (nodes.length > MAX_WHOLE) return false;
  const perLine = Math.max(1, Math.floor((width - GREY_SIDES) / CHARACTER_WIDTH));
  return nodes.reduce((sum, line) => sum + Math.ceil((textOf(line).length + 1) / perLine), 0) <= MAX_WHOLE;
}

/** In its colors, unless the line has marks of its own, such as those of changes. */
function codeLine(printing: PdfPrinting, line: BlockOf<'code-line'>, parts: readonly CodePart[] | undefined) {
  const looks = { isMono: true, ...(line.data.highlighted && { bold: true, background: '#fff4c2' }) };
  const isPlain = line.nodes.every((node) => node.object === 'text' && node.leaves.every(({ marks }) => !marks.length));
  if (!parts || !isPlain) return textRuns(printing, line.nodes, looks);
  return parts.flatMap(({ text, color }) => plainRuns(printing, text, { ...looks, ...(color && { color }) }));
}
