import type { Table, TableCell, TableRow } from 'mdast';
import { block, paragraph, text } from '../build.ts';
import type { BlockOf, Fragment, Phrasing, TableColumn, TableRecord } from '../document.ts';
import { textOfLine } from '../plain-text.ts';
import { orderIndexAt } from '../table-cells.ts';
import { MOST_COLUMNS } from './forms.ts';
import type { ReadContext } from './read-context.ts';

/** Levels between a table and the blocks of its cells. */
const CELL_DEPTH = 2;

/**
 * A GFM table as a grid of text columns. Column titles are plain text, so marks in the header are lost. A header with
 * empty cells is hidden. Ids only contain the position; `alignKeys` restores earlier ids.
 */
export function readTable(table: Table, ctx: ReadContext, depth: number): BlockOf<'table'> {
  const [header, ...rows] = table.children;
  const titles = titlesOf(header, ctx, depth);
  const columns = titles.map((title, i): TableColumn => {
    return { id: columnId(i), title, type: 'text', textAlignment: table.align?.[i] ?? 'left' };
  });
  const fragments: Fragment[] = [];
  const records = rows.map((row, place): [string, TableRecord] => {
    const values = valuesOf(row, place, columns.length, fragments, ctx, depth + CELL_DEPTH);
    return [recordId(place), { orderIndex: orderIndexAt(place, rows.length), values }];
  });
  return block('table', {
    data: {
      view: {
        type: 'grid',
        columns: columns.map(({ id }) => id),
        hideHeader: columns.every(({ title }) => title === ''),
      },
      records: Object.fromEntries(records),
      definition: Object.fromEntries(columns.map((column) => [column.id, column])),
    },
    fragments,
  });
}

export function columnId(place: number): string {
  return `column${String(place).padStart(3, '0')}`;
}

export function recordId(place: number): string {
  return `record${place}`;
}

export function cellId(record: number, column: number): string {
  return `cell${record}-${column}`;
}

function titlesOf(header: TableRow | undefined, ctx: ReadContext, depth: number): string[] {
  const cells = header?.children ?? [];
  const titles = cells.slice(0, MOST_COLUMNS).map((cell) => {
    const line = ctx.lineOf(cell.children, depth);
    if (line.some(isMarked)) {
      ctx.report(lineNumber(cell), 'Column titles are plain text. Marks and links are left out.');
    }
    return textOfLine(line);
  });
  const rest = cells.slice(MOST_COLUMNS).map((cell) => textOfLine(ctx.lineOf(cell.children, depth)));
  return rest.length > 0 ? [...titles.slice(0, -1), [titles.at(-1), ...rest].join(' ')] : titles;
}

/** Cells beyond the last column, which GFM does not show, are added to the last cell. */
function valuesOf(
  row: TableRow,
  record: number,
  count: number,
  fragments: Fragment[],
  ctx: ReadContext,
  depth: number,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const cells = row.children.slice(0, count).map((cell) => ctx.lineOf(cell.children, depth));
  const rest = row.children.slice(count).flatMap((cell) => [text(' '), ...ctx.lineOf(cell.children, depth)]);
  if (rest.length > 0) {
    ctx.report(lineNumber(row), 'A row has more cells than the table has columns. The last cell contains the rest.');
    cells[count - 1] = [...(cells[count - 1] ?? []), ...rest];
  }
  cells.forEach((line, column) => {
    if (line.length === 0) return;
    const name = cellId(record, column);
    values[columnId(column)] = name;
    fragments.push({ object: 'fragment', fragment: name, nodes: [paragraph(line)] });
  });
  return values;
}

function isMarked(node: Phrasing): boolean {
  return node.object === 'inline' ? node.type !== 'emoji' : node.leaves.some((leaf) => leaf.marks.length > 0);
}

function lineNumber(node: TableRow | TableCell): number {
  return node.position?.start.line ?? 0;
}
