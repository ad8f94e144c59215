import type { BlockOf } from './document.ts';

/** Number of rows and columns of a merged cell. */
export interface CellSpan {
  rowSpan: number;
  colSpan: number;
}

/**
 * What a cell is, by its position among the shown records and columns: the first of merged cells, covered by it, or a
 * cell by itself.
 */
export type SpanAt = (row: number, column: number) => CellSpan | 'covered' | undefined;

/**
 * The merged cells of a table, cut at its edges. Merges that overlap an earlier one are left out. Once the areas of the
 * merges add up to more than the table, which only overlapping ones can, the rest is left out, so that the work is
 * bounded.
 */
export function mergedCells(
  { data }: BlockOf<'table'>,
  records: readonly string[],
  columns: readonly string[],
): SpanAt {
  const [rowOf, columnOf] = [positions(records), positions(columns)];
  const spans = new Map<number, CellSpan | 'covered'>();
  let area = 0;
  for (const { anchor, ...merge } of data.cellMerges ?? []) {
    const [top, left] = [rowOf.get(anchor.record), columnOf.get(anchor.column)];
    if (top === undefined || left === undefined) continue;
    const rowSpan = Math.min(merge.rowSpan, records.length - top);
    const colSpan = Math.min(merge.colSpan, columns.length - left);
    area += rowSpan * colSpan;
    if (area > records.length * columns.length) break;
    const first = top * columns.length + left;
    const cells = Array.from(
      { length: rowSpan * colSpan },
      (_, index) => first + Math.floor(index / colSpan) * columns.length + (index % colSpan),
    );
    if (cells.some((cell) => spans.has(cell))) continue;
    for (const cell of cells) spans.set(cell, 'covered');
    spans.set(first, { rowSpan, colSpan });
  }
  return (row, column) => spans.get(row * columns.length + column);
}

const positions = (ids: readonly string[]) => new Map(ids.map((id, index) => [id, index]));
