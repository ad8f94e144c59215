import type { BlockOf, Fragment, TableColumn, TableRecord } from './document.ts';

/**
 * All columns: those of the view in its order, followed by hidden ones by title, type and id. The property order of the
 * definition is not used, since storage does not preserve it.
 */
export function columnsOf(table: BlockOf<'table'>): TableColumn[] {
  const { view, definition } = table.data;
  const shown = new Set(view.columns);
  const hidden = Object.values(definition)
    .filter((column) => !shown.has(column.id))
    .sort((a, b) => compare(a.title, b.title) || compare(a.type, b.type) || compare(a.id, b.id));
  return [...view.columns.flatMap((id) => definition[id] ?? []), ...hidden];
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

/** An `orderIndex` for the record at this position of `count`, padded so that text order equals position order. */
export function orderIndexAt(place: number, count: number): string {
  return place.toString(36).padStart(Math.max(4, count.toString(36).length), '0');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
