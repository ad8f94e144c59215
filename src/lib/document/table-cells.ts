import type { BlockOf, Fragment, TableColumn, TableData, TableRecord } from './document.ts';

/**
 * All columns: in the order of the table if it has one for all of them, otherwise those of the view in its order,
 * followed by hidden ones by title, type and id. The property order of the definition is not used, since storage does
 * not preserve it.
 */
export const tableColumns = ({ data }: BlockOf<'table'>): TableColumn[] => columnsIn(data);

export function columnsIn(data: TableData): TableColumn[] {
  const { view, definition } = data;
  if (isOrderOf(data)) return data.order.flatMap((id) => definition[id] ?? []);
  const visibleIds = new Set(view.columns);
  const hidden = Object.values(definition)
    .filter((column) => !visibleIds.has(column.id))
    .sort((a, b) => compare(a.title, b.title) || compare(a.type, b.type) || compare(a.id, b.id));
  return [...view.columns.flatMap((id) => definition[id] ?? []), ...hidden];
}

/** Whether the table has an order of its columns that agrees with its view. */
function isOrderOf(data: TableData): data is TableData & { order: string[] } {
  const { order, view, definition } = data;
  if (!order || order.length !== Object.keys(definition).length || new Set(order).size !== order.length) return false;
  const visibleIds = new Set(view.columns);
  const listed = order.filter((id) => visibleIds.has(id));
  return order.every((id) => definition[id]) && listed.every((id, i) => id === view.columns[i]);
}

/** Records in reading order: by `orderIndex`, then by id. */
export function recordsOf(table: BlockOf<'table'>): [string, TableRecord][] {
  return Object.entries(table.data.records).sort(
    ([idA, a], [idB, b]) => compare(a.orderIndex, b.orderIndex) || compare(idA, idB),
  );
}

/** The cells of a table, as its records refer to them. */
export type Cells = ReadonlyMap<string, Fragment>;

export function cellsOf(table: BlockOf<'table'>): Cells {
  return new Map(table.fragments.flatMap((each) => (each.fragment === undefined ? [] : [[each.fragment, each]])));
}

/** The fragment of a text cell; undefined for cells of other types and empty cells. */
export function cellAt(cells: Cells, record: TableRecord, column: TableColumn): Fragment | undefined {
  if (column.type !== 'text') return undefined;
  const name = record.values[column.id];
  return typeof name === 'string' ? cells.get(name) : undefined;
}

/** The values of a cell that can have several. */
export const cellValues = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

type RatingColumn = Extract<TableColumn, { type: 'rating' }>;

/** The rating in a cell, between 0 and the maximum of its column. */
export const ratingIn = ({ max }: RatingColumn, value: unknown): number =>
  Math.max(0, Math.min(max, Math.round(Number(value) || 0)));

const MAX_STARS = 20;

/** The rating in a cell as stars, of which 20 are shown. */
export const starsOf = (column: RatingColumn, value: unknown): string =>
  '★'.repeat(Math.min(MAX_STARS, ratingIn(column, value)));

/** An `orderIndex` for the record at this position of `count`, padded so that text order equals position order. */
export function orderIndexAt(place: number, count: number): string {
  return place.toString(36).padStart(Math.max(4, count.toString(36).length), '0');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
