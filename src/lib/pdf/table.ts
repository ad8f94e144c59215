import type { Content, TableCell } from 'pdfmake/interfaces.d.ts';
import { isCellRef } from '../document/data-shapes.ts';
import type { Block, BlockOf, Fragment, TableColumn, TableRecord } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import { type Cells, cellAt, cellsOf, recordsOf } from '../document/table-cells.ts';
import { GAP_BELOW, tight } from './boxes.ts';
import { cardsContent } from './cards.ts';
import { linkOf, type Printing, targetOf } from './context.ts';
import { plainRuns } from './inlines.ts';
import { INK, WIDTH } from './styles.ts';

/** Maximum number of columns that leaves enough width for words. */
const MAX_COLUMNS = 12;

/** A table with the visible columns of its view, or cards. The header is repeated on every page. */
export function tableContent(
  printing: Printing,
  table: BlockOf<'table'>,
  inside: (blocks: readonly Block[]) => Content[],
): Content {
  const { view, definition } = table.data;
  const columns = view.columns.flatMap((id) => definition[id] ?? []).slice(0, MAX_COLUMNS);
  if (columns.length === 0) return { text: '' };
  const cells = cellsOf(table);
  const content = (record: TableRecord, column: TableColumn) => cellContent(printing, cells, record, column, inside);
  if (view.type === 'cards') return cardsContent(printing, table, view, content);
  const rows = recordsOf(table).map(([, record]) =>
    columns.map((column): TableCell => ({ stack: tight(content(record, column)) })),
  );
  const isHeaded = !view.hideHeader;
  const head = columns.map(
    ({ title }): TableCell => ({ text: plainRuns(printing, title, { bold: true }), fillColor: INK.paleGrey }),
  );
  const body = isHeaded ? [head, ...rows] : rows;
  return {
    table: {
      headerRows: isHeaded ? 1 : 0,
      ...(isHeaded && rows.length > 0 && { keepWithHeaderRows: 1 }),
      widths: widthsOf(table, columns, cells),
      body: body.length > 0 ? body : [head],
    },
    layout: {
      hLineColor: () => INK.line,
      vLineColor: () => INK.line,
      hLineWidth: () => 0.5,
      vLineWidth: () => 0.5,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
    fontSize: columns.length > 6 ? 7.5 : 9,
    margin: GAP_BELOW,
  };
}

/** Longer words are broken. */
const MAX_WORD = 24;

/** Points that a cell takes beside its text. */
const BESIDE = 9.5;

/** Columns share the width by their longest words and the length of their texts. */
function widthsOf(table: BlockOf<'table'>, columns: readonly TableColumn[], cells: Cells): number[] {
  const records = recordsOf(table).slice(0, MEASURED);
  const weights = columns.map((column) => {
    const texts = [column.title, ...records.map(([, record]) => textIn(cellAt(cells, record, column)))];
    const longest = Math.max(...texts.flatMap((text) => text.split(/\s+/).map(({ length }) => length)));
    const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
    return Math.max(5, 0.8 * Math.min(longest, MAX_WORD), 3.2 * Math.sqrt(mean));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const width = WIDTH - columns.length * BESIDE;
  return weights.map((weight) => (width * weight) / total);
}

const MEASURED = 200;

const textIn = (cell: Fragment | undefined) => (cell ? textOf(cell) : '');

function cellContent(
  printing: Printing,
  cells: Cells,
  record: TableRecord,
  column: TableColumn,
  inside: (blocks: readonly Block[]) => Content[],
): Content[] {
  if (column.type === 'text') return inside(cellAt(cells, record, column)?.nodes ?? []);
  const value = record.values[column.id];
  if (value === undefined || value === null) return [];
  switch (column.type) {
    case 'checkbox':
      return [{ text: plainRuns(printing, value === true ? '☑' : '☐') }];
    case 'rating':
      return [{ text: plainRuns(printing, '★'.repeat(Math.min(column.max, Math.max(0, Number(value) || 0)))) }];
    case 'select':
      return [
        {
          text: plainRuns(
            printing,
            listOf(value)
              .map((name) => optionLabel(column, name))
              .join(', '),
          ),
        },
      ];
    case 'number':
      return [{ text: plainRuns(printing, String(value)) }];
    default:
      return listOf(value).map((item) => reference(printing, item));
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const optionLabel = ({ options }: Extract<TableColumn, { type: 'select' }>, name: unknown) =>
  options.find(({ value }) => value === name)?.label ?? String(name);

/** Cells of files, users and pages contain references, or ids of files and users. */
function reference(printing: Printing, item: unknown): Content {
  if (isCellRef(item)) {
    const label = targetOf(printing, item)?.label ?? (item.kind === 'url' ? item.url : '');
    return { text: plainRuns(printing, label, linkOf(printing, item)) };
  }
  const { source } = printing;
  const target = source.targets[`file:${String(item)}`] ?? source.targets[`user:${String(item)}`];
  return { text: plainRuns(printing, target?.label ?? '') };
}
