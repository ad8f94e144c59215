import { refillFragment } from './build.ts';
import type { Block, BlockOf, CardsView, Fragment, GridView, TableColumn, TableData, TableRecord } from './document.ts';
import { isEmptyParagraph } from './empty.ts';
import { type Cells, cellAt, cellsOf, columnsIn, orderIndexAt, recordsOf, tableColumns } from './table-cells.ts';
import { headerOf, isPlainTitle, titleOf } from './table-headers.ts';

/**
 * A table with its cells in reading order and without cells that no record uses. Empty text cells have no fragment,
 * values of undefined columns are removed, and `orderIndex` is the position.
 */
export function normalizeTable(table: BlockOf<'table'>, tidyBody: (blocks: Block[]) => Block[]): BlockOf<'table'> {
  const cells = cellsOf(table);
  const columns = tableColumns(table);
  const rows = recordsOf(table);
  const { definition, fragments } = tidyHeaders(table, columns, cells, tidyBody);
  const records = rows.map(([id, record], place): [string, TableRecord] => {
    const values: Record<string, unknown> = {};
    for (const column of columns) {
      const value = record.values[column.id];
      const cell = cellAt(cells, record, column);
      const nodes = cell ? tidyBody(cell.nodes) : [];
      if (cell && !nodes.every(isEmptyParagraph)) fragments.push(refillFragment(cell, cell.fragment ?? '', nodes));
      const isEmptyCell = column.type === 'text' && nodes.every(isEmptyParagraph);
      if (value !== undefined && value !== null && !isEmptyCell) values[column.id] = value;
    }
    return [id, { orderIndex: orderIndexAt(place, rows.length), values }];
  });
  const data = { ...tidyData({ ...table.data, definition }), records: Object.fromEntries(records) };
  return { ...table, data: withOrder(data), fragments };
}

/** Columns with the titles that are more than plain text. Their fragments come first. */
function tidyHeaders(
  { data }: BlockOf<'table'>,
  columns: readonly TableColumn[],
  cells: Cells,
  tidyBody: (blocks: Block[]) => Block[],
): { definition: TableData['definition']; fragments: Fragment[] } {
  const fragments: Fragment[] = [];
  const definition = { ...data.definition };
  for (const column of columns) {
    if (column.header === undefined) continue;
    const headerFragment = headerOf(cells, column);
    const nodes = headerFragment ? tidyBody(headerFragment.nodes) : [];
    const { header, ...plain } = column;
    const title = headerFragment ? titleOf(nodes) : plain.title;
    const isKept = headerFragment !== undefined && !isPlainTitle(nodes);
    if (isKept) fragments.push(refillFragment(headerFragment, header, nodes));
    definition[column.id] = { ...plain, title, ...(isKept && { header }) };
  }
  return { definition, fragments };
}

/** Only tables with hidden columns between others have an order. */
function withOrder({ order, ...data }: TableData): TableData {
  const current = orderOf({ ...data, ...(order && { order }) });
  const usual = orderOf(data);
  return current.every((id, i) => id === usual[i]) ? data : { ...data, order: current };
}

const orderOf = (data: TableData) => columnsIn(data).map(({ id }) => id);

/** Removes roles, widths and merges of columns and records that do not exist. */
function tidyData({ view, cellMerges, ...data }: TableData): TableData {
  const tidy: TableData = { ...data, view: view.type === 'grid' ? tidyGrid(view, data) : tidyCards(view, data) };
  const anchors = new Set<string>();
  const merges = cellMerges?.filter(({ anchor: { record, column }, rowSpan, colSpan }) => {
    const isThere = data.records[record] !== undefined && data.definition[column] !== undefined;
    const isFirst = !anchors.has(JSON.stringify([record, column]));
    anchors.add(JSON.stringify([record, column]));
    return isThere && isFirst && (rowSpan > 1 || colSpan > 1);
  });
  if (merges && merges.length > 0) tidy.cellMerges = merges;
  return tidy;
}

function tidyGrid({ columnWidths, ...view }: GridView, { definition }: Omit<TableData, 'view'>): GridView {
  const widths = Object.entries(columnWidths ?? {}).filter(([id]) => definition[id] !== undefined);
  return { ...view, ...(widths.length > 0 && { columnWidths: Object.fromEntries(widths) }) };
}

function tidyCards(view: CardsView, { definition }: Omit<TableData, 'view'>): CardsView {
  const tidy = { ...view };
  for (const role of ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'] as const) {
    if (definition[view[role] ?? ''] === undefined) delete tidy[role];
  }
  return tidy;
}
