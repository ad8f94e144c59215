import type { Column, Content } from 'pdfmake/interfaces.d.ts';
import type { Block, BlockOf } from '../document/document.ts';
import { GAP_BELOW, withoutGapBelow } from './boxes.ts';
import { type PdfPrinting, withinWidth } from './context.ts';
import { plainRuns } from './runs.ts';

/** Approximate width of list marks. */
const MARKER_WIDTH = 12;
const NUMBER_WIDTH = 18;

/** A list with its marks. pdfmake has lists from left to right only; others are columns. */
export function listContent(
  printing: PdfPrinting,
  block: BlockOf<'list-unordered' | 'list-ordered'>,
  inside: (printing: PdfPrinting, blocks: readonly Block[]) => Content[],
): Content {
  const isOrdered = block.type === 'list-ordered';
  const width = isOrdered ? NUMBER_WIDTH : MARKER_WIDTH;
  const inner = withinWidth(printing, printing.width - width);
  const items = block.nodes.map((item) => itemContent(inside(inner, item.nodes)));
  const start = 'start' in block.data ? block.data.start : undefined;
  if (printing.direction === 'ltr')
    return { ...(isOrdered ? { ol: items } : { ul: items }), ...(start !== undefined && { start }), margin: GAP_BELOW };
  return {
    stack: items.map((item, index): Content => {
      const mark = plainRuns(printing, isOrdered ? `.${(start ?? 1) + index}` : '•');
      return {
        columns: [{ ...(item as object), width: inner.width } as Column, { width, text: mark, alignment: 'right' }],
      };
    }),
    margin: GAP_BELOW,
  };
}

/** Items are closer to each other than paragraphs are. */
const itemContent = (content: Content[]): Content => ({
  stack: withoutGapBelow(content.map(closer)),
  margin: [0, 0, 0, 3],
});

const closer = (part: Content): Content =>
  typeof part === 'object' && 'margin' in part && part.margin === GAP_BELOW
    ? ({ ...part, margin: [0, 0, 0, 3] } as Content)
    : part;
