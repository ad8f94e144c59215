import type { Element, ElementContent, Properties } from 'hast';
import { attribute, elementText, isElement } from './elements.ts';
import { lineIn, withBreaks } from './fit-content.ts';
import { FORMULA_START } from './formula.ts';
import { hintStyle } from './hint-style.ts';
import {
  cellElements,
  type ElementNote,
  element,
  plainBlocks,
  printedHtml,
  rowsIn,
  unwrapParagraph,
} from './plain-html.ts';

const MAX_SPAN = 50;

/** Blocks around the line of a cell that say nothing about it. */
const isPlainBlock = (block: Element) =>
  /^(?:article|center|div|p|section)$/.test(block.tagName) && hintStyle(block) === undefined;

/** A table with one line in each cell, for Markdown with bars; undefined if it has more, or merged cells. */
export function lineTable(table: Element): Element | undefined {
  const rows = rowsIn(table);
  const cells = new Map<Element, ElementContent[]>();
  for (const cell of rows.flatMap(cellElements)) {
    const line =
      spanOf(cell, 'colSpan') > 1 || spanOf(cell, 'rowSpan') > 1 ? undefined : lineIn(cell.children, isPlainBlock);
    if (!line || hasBarInFormula(cell)) return undefined;
    cells.set(cell, withBreaks(line));
  }
  const isHeaded = rows.length > 0 && (isHead(table, rows[0]) || cellElements(rows[0] as Element).some(isHeader));
  return element(
    'table',
    rows.map((row, at) =>
      element(
        'tr',
        cellElements(row).map((cell) => ({
          ...cell,
          tagName: isHeaded && at === 0 ? 'th' : 'td',
          children: cells.get(cell) ?? [],
        })),
      ),
    ),
  );
}

const hasBarInFormula = (cell: Element) => {
  const text = elementText(cell);
  return text.includes(FORMULA_START) && text.includes('|');
};

const isHeader = ({ tagName }: Element) => tagName === 'th';

const isHead = (table: Element, row: Element | undefined) =>
  table.children.some(
    (part) => isElement(part) && part.tagName === 'thead' && row !== undefined && part.children.includes(row),
  );

const spanOf = ({ properties }: Element, name: 'colSpan' | 'rowSpan'): number =>
  Math.min(MAX_SPAN, Math.max(1, Math.trunc(Number(properties[name])) || 1));

/** A table as HTML, in the form that is printed for tables whose cells have several blocks. */
export function htmlTable(table: Element, note: ElementNote): string {
  const [first, ...others] = rowsIn(table);
  const isHeaded = first !== undefined && (isHead(table, first) || cellElements(first).every(isHeader));
  const grid = new Grid();
  const head = isHeaded ? [`<thead>${grid.header(first, note)}</thead>`] : [];
  const rows = isHeaded || first === undefined ? others : [first, ...others];
  const body = rows.map((row, at) => grid.row(row, rows.length - at, note));
  return ['<table>', ...head, '<tbody>', ...body, '</tbody>', '</table>'].join('\n');
}

/** Keeps the places of cells: a header has no merged cells, so that those that it covers become empty ones. */
class Grid {
  /** Number of rows that a column is covered for, by a cell of the header or of a former row. */
  readonly #covered: { rows: number; isByHeader: boolean }[] = [];

  header(row: Element, note: ElementNote): string {
    if (cellElements(row).some((cell) => spanOf(cell, 'colSpan') > 1 || spanOf(cell, 'rowSpan') > 1)) {
      note('changed', row, 'The header of a table had merged cells. Their content is in the first cell.');
    }
    const cells = cellElements(row).flatMap((cell) => {
      const width = spanOf(cell, 'colSpan');
      for (let at = 0; at < width; at += 1) this.#covered.push({ rows: spanOf(cell, 'rowSpan') - 1, isByHeader: true });
      const align = attribute(cell, 'align');
      const own = element('th', contentOf(cell, note), align === 'center' || align === 'right' ? { align } : {});
      return [own, ...Array.from({ length: width - 1 }, () => element('th', []))];
    });
    return printedHtml([element('tr', cells)]);
  }

  row(row: Element, remainingRows: number, note: ElementNote): string {
    const cells: Element[] = [];
    let column = 0;
    const skip = () => {
      for (let place = this.#covered[column]; place && place.rows > 0; place = this.#covered[column]) {
        if (place.isByHeader) cells.push(element('td', []));
        place.rows -= 1;
        column += 1;
      }
    };
    for (const cell of cellElements(row)) {
      skip();
      const [width, height] = [spanOf(cell, 'colSpan'), Math.min(remainingRows, spanOf(cell, 'rowSpan'))];
      const spans: Properties = { ...(height > 1 && { rowSpan: height }), ...(width > 1 && { colSpan: width }) };
      cells.push(element('td', contentOf(cell, note), spans));
      for (const end = column + width; column < end; column += 1) {
        this.#covered[column] = { rows: height - 1, isByHeader: false };
      }
    }
    for (; column < this.#covered.length; column += 1) {
      const place = this.#covered[column];
      if (place && place.rows > 0) place.rows -= 1;
    }
    return printedHtml([element('tr', cells)]);
  }
}

const contentOf = (cell: Element, note: ElementNote) => unwrapParagraph(plainBlocks(cell.children, note));
