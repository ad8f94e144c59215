import type { Content, TableCell } from 'pdfmake/interfaces.d.ts';
import { isCellRef } from '../document/data-shapes.ts';
import type { Block, BlockOf, Fragment, TableColumn, TableRecord } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import { type Cells, cellAt, cellsOf, cellValues, recordsOf, starsOf } from '../document/table-cells.ts';
import { headerOf } from '../document/table-headers.ts';
import { mergedCells } from '../document/table-spans.ts';
import { GAP_BELOW, withoutGapBelow } from './boxes.ts';
import { cardsContent } from './cards.ts';
import { inReadingOrder, type PdfPrinting, pdfTarget, printedLink, withinWidth } from './context.ts';
import { imageContent } from './images.ts';
import { plainRuns } from './runs.ts';
import { INK } from './styles.ts';

type Inside = (printing: PdfPrinting, blocks: readonly Block[]) => Content[];

/** Maximum number of columns that leaves enough width for words. Further columns follow in separate tables. */
const MAX_COLUMNS = 10;

/**
 * A table with the visible columns of its view, or cards. The header is repeated on every page. The columns of a wide
 * table are shown in several tables, each with the first column.
 */
export function tableContent(printing: PdfPrinting, table: BlockOf<'table'>, inside: Inside): Content[] {
  const { view, definition } = table.data;
  const columns = view.columns.flatMap((id) => definition[id] ?? []);
  if (columns.length === 0) return [];
  const cells = cellsOf(table);
  const content = (inner: PdfPrinting, record: TableRecord, column: TableColumn) =>
    cellContent(inner, cells, { record, column, inside });
  if (view.type === 'cards') return [cardsContent(printing, table, view, content)];
  return partsOf(columns).map((some) => gridContent(printing, table, { columns: some, cells, inside, content }));
}

/** Columns that fit next to each other. */
function partsOf(columns: readonly TableColumn[]): TableColumn[][] {
  if (columns.length <= MAX_COLUMNS) return [[...columns]];
  const [first, ...others] = columns;
  const size = MAX_COLUMNS - 1;
  return Array.from({ length: Math.ceil(others.length / size) }, (_, part) => [
    ...(first ? [first] : []),
    ...others.slice(part * size, (part + 1) * size),
  ]);
}

interface Grid {
  columns: readonly TableColumn[];
  cells: Cells;
  inside: Inside;
  content(inner: PdfPrinting, record: TableRecord, column: TableColumn): Content[];
}

function gridContent(
  printing: PdfPrinting,
  table: BlockOf<'table'>,
  { columns, cells, inside, content }: Grid,
): Content {
  const { view } = table.data;
  const isHeaded = !('hideHeader' in view && view.hideHeader);
  const fontSize = columns.length > 6 ? 7.5 : 9;
  const widths = widthsOf(printing.width, table, columns, cells);
  const inner = columns.map((_, index) => withinWidth(printing, widths[index] ?? 0));
  const head = columns.map((column, index): TableCell => {
    const header = headerOf(cells, column);
    const layout = inner[index] ?? printing;
    return {
      stack: header
        ? withoutGapBelow(inside(layout, header.nodes))
        : [{ text: plainRuns(layout, column.title, { bold: true }) }],
      bold: true,
      ...alignment(column),
      fillColor: INK.paleGrey,
    };
  });
  const records = recordsOf(table);
  const spanAt = mergedCells(
    table,
    records.map(([id]) => id),
    columns.map(({ id }) => id),
  );
  const rows = records.map(([, record], row) =>
    columns.map((column, index): TableCell => {
      const span = spanAt(row, index);
      if (span === 'covered') return '';
      return {
        stack: withoutGapBelow(content(inner[index] ?? printing, record, column)),
        ...alignment(column),
        ...span,
      };
    }),
  );
  const body = isHeaded ? [head, ...rows] : rows;
  return {
    table: {
      headerRows: isHeaded ? 1 : 0,
      ...(isHeaded && rows.length > 0 && { keepWithHeaderRows: 1 }),
      widths: inReadingOrder(printing, widths),
      body: (body.length > 0 ? body : [head]).map((row) => rowInReadingOrder(printing, row)),
    },
    layout: {
      hLineColor: () => INK.line,
      vLineColor: () => INK.line,
      hLineWidth: () => 0.5,
      vLineWidth: () => 0.5,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
    fontSize,
    margin: GAP_BELOW,
  };
}

/** A cell that spans several columns comes first among them, from left to right. */
function rowInReadingOrder(printing: PdfPrinting, row: readonly TableCell[]): TableCell[] {
  const cells: TableCell[][] = [];
  for (let at = 0; at < row.length; ) {
    const cell = row[at] ?? '';
    const span = typeof cell === 'object' && 'colSpan' in cell ? (cell.colSpan ?? 1) : 1;
    cells.push(row.slice(at, at + span));
    at += span;
  }
  return inReadingOrder(printing, cells).flat();
}

const alignment = (column: TableColumn) =>
  column.type === 'text' && column.textAlignment !== 'left' ? { alignment: column.textAlignment } : {};

/** Longer words are broken. */
const MAX_WORD = 24;

/** Points that a cell takes besides its text. */
const CELL_PADDING = 9.5;

/** Columns share the width by their longest words and the length of their texts. */
function widthsOf(maxWidth: number, table: BlockOf<'table'>, columns: readonly TableColumn[], cells: Cells): number[] {
  const records = recordsOf(table).slice(0, MEASURED_RECORDS);
  const weights = columns.map((column) => {
    const texts = [column.title, ...records.map(([, record]) => textIn(cellAt(cells, record, column)))];
    const longest = texts.reduce((most, text) => Math.max(most, longestWord(text)), 0);
    const mean = texts.reduce((sum, text) => sum + lengthOf(text), 0) / texts.length;
    return Math.max(5, 0.8 * Math.min(longest, MAX_WORD), 3.2 * Math.sqrt(mean));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const width = Math.max(columns.length * 6, maxWidth - columns.length * CELL_PADDING);
  return weights.map((weight) => (width * weight) / total);
}

const longestWord = (text: string) =>
  text.split(/[\s\u2e80-\uffef]+/).reduce((most, { length }) => Math.max(most, length), 0);

/** Chinese, Japanese and Korean characters are twice as wide as Latin ones. */
const lengthOf = (text: string) => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);

const MEASURED_RECORDS = 200;

const textIn = (cell: Fragment | undefined) => (cell ? textOf(cell) : '');

interface Cell {
  record: TableRecord;
  column: TableColumn;
  inside: Inside;
}

function cellContent(printing: PdfPrinting, cells: Cells, { record, column, inside }: Cell): Content[] {
  if (column.type === 'text') return inside(printing, cellAt(cells, record, column)?.nodes ?? []);
  const value = record.values[column.id];
  if (value === undefined || value === null) return [];
  switch (column.type) {
    case 'checkbox':
      return [{ text: plainRuns(printing, value === true ? '☑' : '☐') }];
    case 'rating':
      return [{ text: plainRuns(printing, starsOf(column, value)) }];
    case 'select': {
      const labels = cellValues(value).map((name) => optionLabel(column, name));
      return [{ text: plainRuns(printing, labels.join(', ')) }];
    }
    case 'number':
      return [{ text: plainRuns(printing, String(value)) }];
    default:
      return cellValues(value).map((item) => reference(printing, item));
  }
}

const optionLabel = ({ options }: Extract<TableColumn, { type: 'select' }>, name: unknown) =>
  options.find(({ value }) => value === name)?.label ?? String(name);

/** Cells of files, users, images and pages contain references, images, or ids of files and users. */
function reference(printing: PdfPrinting, item: unknown): Content {
  if (typeof item === 'object' && item !== null && 'ref' in item && isCellRef(item.ref)) {
    const { ref } = item;
    const content = ref.kind === 'file' ? imageContent(printing, { ref }) : undefined;
    return content ?? reference(printing, ref);
  }
  if (isCellRef(item)) {
    const label = pdfTarget(printing, item)?.label ?? (item.kind === 'url' ? item.url : '');
    return { text: plainRuns(printing, label, printedLink(printing, item)) };
  }
  const { source } = printing;
  const target = source.targets[`file:${String(item)}`] ?? source.targets[`user:${String(item)}`];
  return { text: plainRuns(printing, target?.label ?? '') };
}
