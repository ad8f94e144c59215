import { numberValue } from '../attribute-values.ts';
import { MAX_TABLE_COLUMNS } from '../forms.ts';
import type { MarkupElement } from './item.ts';

const WIDEST_SPAN = 50;

export interface PlacedCell {
  element: MarkupElement;
  column: number;
  rowSpan: number;
  colSpan: number;
}

/** The cells of a table's header row, and its other rows. */
export function rowElements(table: MarkupElement): { header: MarkupElement[]; rows: MarkupElement[] } {
  const rows: MarkupElement[] = [];
  const collect = (element: MarkupElement): void => {
    for (const item of element.items) {
      if (item.kind !== 'element') continue;
      if (item.name === 'tr') rows.push(item);
      else if (['thead', 'tbody', 'tfoot'].includes(item.name)) collect(item);
    }
  };
  collect(table);
  const [first] = rows;
  const headed = first !== undefined && cellsIn(first).every((cell) => cell.name === 'th');
  return headed ? { header: cellsIn(first), rows: rows.slice(1) } : { header: [], rows };
}

/**
 * Assigns cells to columns. Cells that span others (`rowspan`, `colspan`) leave the covered places empty; with
 * `data-rowspan` and `data-colspan` the covered cells are present.
 */
export function gridOf(rows: readonly MarkupElement[]): { rows: PlacedCell[][]; columns: number } {
  const covered = new Map<number, number>();
  let columns = 0;
  const placed = rows.map((row) => {
    let column = 0;
    const cells = cellsIn(row).map((element) => {
      while ((covered.get(column) ?? 0) > 0 && column < MAX_TABLE_COLUMNS) column += 1;
      const cell = { element, column: Math.min(column, MAX_TABLE_COLUMNS - 1), ...spansOf(element) };
      const width = element.attributes.has('data-colspan') ? 1 : cell.colSpan;
      const height = element.attributes.has('data-rowspan') ? 1 : cell.rowSpan;
      const end = Math.min(column + width, MAX_TABLE_COLUMNS);
      for (let i = column; i < end; i++) covered.set(i, Math.max(covered.get(i) ?? 0, height));
      column += width;
      return cell;
    });
    for (const [at, left] of covered) covered.set(at, left - 1);
    columns = Math.min(Math.max(columns, column), MAX_TABLE_COLUMNS);
    return cells;
  });
  return { rows: placed, columns };
}

function spansOf({ attributes }: MarkupElement): { rowSpan: number; colSpan: number } {
  return {
    rowSpan: spanOf(attributes.get('data-rowspan') ?? attributes.get('rowspan')),
    colSpan: spanOf(attributes.get('data-colspan') ?? attributes.get('colspan')),
  };
}

function spanOf(value: string | undefined): number {
  const span = Math.trunc(numberValue(value) ?? 1);
  return Math.min(Math.max(span, 1), WIDEST_SPAN);
}

function cellsIn(row: MarkupElement): MarkupElement[] {
  return row.items.filter((item): item is MarkupElement => {
    return item.kind === 'element' && (item.name === 'td' || item.name === 'th');
  });
}
