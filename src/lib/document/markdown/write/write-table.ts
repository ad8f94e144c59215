import { textNode } from '../../build.ts';
import type { BlockOf, TableColumn, TableRecord } from '../../document.ts';
import { type Cells, cellAt, cellsOf, recordsOf, tableColumns } from '../../table-cells.ts';
import { headerOf, isUntitled } from '../../table-headers.ts';
import { writeAnchors } from '../anchors.ts';
import { MAX_TABLE_COLUMNS } from '../forms.ts';
import type { WriteContext } from './write-context.ts';
import { isHtmlBlock } from './write-html-blocks.ts';
import { writeHtmlTable } from './write-html-table.ts';
import { writeStored } from './write-leaf-block.ts';
import { writeCellLine } from './write-line.ts';

/** A table with bars if that is complete, otherwise as HTML or as stored JSON. */
export function writeTable(table: BlockOf<'table'>, ctx: WriteContext): string {
  const columns = tableColumns(table);
  if (columns.length === 0 || columns.length > MAX_TABLE_COLUMNS) return writeStored(table);
  if (isPlain(table, columns)) return writeBars(table, columns, ctx);
  const isHtml = table.fragments.every((cell) => cell.nodes.every(isHtmlBlock));
  return isHtml ? writeHtmlTable(table, columns, ctx) : writeStored(table);
}

const rules = { left: '---', center: ':-:', right: '--:' };

function writeBars(table: BlockOf<'table'>, columns: readonly TableColumn[], ctx: WriteContext): string {
  const cells = cellsOf(table);
  const header = columns.map((column) => writeTitle(column, cells, ctx));
  const rule = columns.map((column) => (column.type === 'text' ? rules[column.textAlignment] : rules.left));
  const rows = recordsOf(table).map(([, record]) => columns.map((column) => writeCell(cells, record, column, ctx)));
  return [header, rule, ...rows].map(writeRow).join('\n');
}

function writeRow(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  // Rows of wide tables may end early; GFM completes them.
  const rowCells = cells.length - last > 8 ? cells.slice(0, last + 2) : cells;
  return `| ${rowCells.join(' | ')} |`;
}

function writeTitle(column: TableColumn, cells: Cells, ctx: WriteContext): string {
  const [line] = headerOf(cells, column)?.nodes ?? [];
  if (line?.type === 'paragraph') return writeAnchors(line) + writeCellLine(line.nodes, ctx);
  const { title } = column;
  if (title === '') return '';
  return writeCellLine([textNode(title)], ctx);
}

function writeCell(cells: Cells, record: TableRecord, column: TableColumn, ctx: WriteContext): string {
  const [line] = cellAt(cells, record, column)?.nodes ?? [];
  return line?.type === 'paragraph' ? writeAnchors(line) + writeCellLine(line.nodes, ctx) : '';
}

/** Whether a table is a grid of text columns that are all visible, with one line per cell and no other properties. */
function isPlain({ data, fragments }: BlockOf<'table'>, columns: readonly TableColumn[]): boolean {
  const { view, definition: _, records: __, order: _____, ...settings } = data;
  if (view.type !== 'grid' || view.columns.length < columns.length || isSet(settings)) return false;
  const { type: ___, columns: ____, hideHeader, ...viewSettings } = view;
  if (isSet(viewSettings) || hideHeader !== columns.every(isUntitled)) return false;
  if (!columns.every((column) => column.type === 'text' && column.verticalAlignment === undefined)) return false;
  return fragments.every(({ nodes: [only, ...others] }) => {
    return only?.type === 'paragraph' && !only.data.align && others.length === 0;
  });
}

function isSet(settings: object): boolean {
  return Object.values(settings).some((value) => value !== undefined);
}
