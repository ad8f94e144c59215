import type { Table, TableCell, TableRow } from 'mdast';
import { block, paragraph, textNode } from '../../build.ts';
import type { Block, BlockOf, Fragment, TableColumn, TableRecord } from '../../document.ts';
import { orderIndexAt } from '../../table-cells.ts';
import { isPlainTitle, isUntitled, titleOf } from '../../table-headers.ts';
import { MAX_TABLE_COLUMNS } from '../forms.ts';
import { isBlockElement } from './html-names.ts';
import { itemsOf } from './items.ts';
import { type ReadContext, readWithAnchors } from './read-context.ts';

/** Levels between a table and the blocks of its cells. */
const CELL_DEPTH = 2;

/**
 * A GFM table as a grid of text columns. A header with empty cells is hidden. Ids only contain the position;
 * `alignKeys` restores earlier ids.
 */
export function readTable(table: Table, ctx: ReadContext, depth: number): BlockOf<'table'> {
  const [header, ...rows] = table.children;
  const fragments: Fragment[] = [];
  const columns = titlesOf(header, ctx, depth + CELL_DEPTH).map((nodes, i): TableColumn => {
    const id = columnId(i);
    return { id, ...readColumnTitle(nodes, id, fragments), type: 'text', textAlignment: table.align?.[i] ?? 'left' };
  });
  const records = rows.map((row, place): [string, TableRecord] => {
    const values = valuesOf(row, place, columns.length, fragments, ctx, depth + CELL_DEPTH);
    return [recordId(place), { orderIndex: orderIndexAt(place, rows.length), values }];
  });
  return block('table', {
    data: {
      view: {
        type: 'grid',
        columns: columns.map(({ id }) => id),
        hideHeader: columns.every(isUntitled),
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

/** Title of a column, with a fragment for what is more than plain text. */
export function readColumnTitle(
  nodes: Block[],
  columnId: string,
  fragments: Fragment[],
): Pick<TableColumn, 'title' | 'header'> {
  const title = titleOf(nodes);
  if (isPlainTitle(nodes)) return { title };
  const header = `header-${columnId}`;
  fragments.push({ object: 'fragment', fragment: header, nodes });
  return { title, header };
}

function titlesOf(header: TableRow | undefined, ctx: ReadContext, depth: number): Block[][] {
  const cells = header?.children ?? [];
  const titles = cells.slice(0, MAX_TABLE_COLUMNS).map((cell) => contentOf(cell, ctx, depth));
  const rest = cells.slice(MAX_TABLE_COLUMNS).flatMap((cell) => contentOf(cell, ctx, depth));
  return rest.length > 0 ? [...titles.slice(0, -1), [...(titles.at(-1) ?? []), ...rest]] : titles;
}

/** The line of a cell, or its blocks if it has HTML blocks such as lists. */
function contentOf(cell: TableCell, ctx: ReadContext, depth: number): Block[] {
  const items = itemsOf(cell.children, ctx.report, false);
  const hasBlocks = items.some((item) => item.kind === 'element' && isBlockElement(item));
  if (hasBlocks) return ctx.blocks(items, depth);
  return readWithAnchors(ctx, [], () => {
    const line = ctx.line(items, depth);
    return line.length > 0 ? [paragraph(line)] : [];
  });
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
  const cells = row.children.slice(0, count).map((cell) => contentOf(cell, ctx, depth));
  const rest = row.children.slice(count).map((cell) => contentOf(cell, ctx, depth));
  if (rest.length > 0) {
    ctx.report(lineNumber(row), 'A row has more cells than the table has columns. The last cell contains the rest.');
    cells[count - 1] = rest.reduce(joined, cells[count - 1] ?? []);
  }
  cells.forEach((nodes, column) => {
    if (nodes.length === 0) return;
    const name = cellId(record, column);
    values[columnId(column)] = name;
    fragments.push({ object: 'fragment', fragment: name, nodes });
  });
  return values;
}

/** The contents of two cells as one: on one line if both are lines. */
function joined(before: Block[], after: Block[]): Block[] {
  const [first, ...more] = before;
  const [second, ...others] = after;
  if (first?.type !== 'paragraph' || second?.type !== 'paragraph' || more.length + others.length > 0) {
    return [...before, ...after];
  }
  return [paragraph([...first.nodes, textNode(' '), ...second.nodes])];
}

function lineNumber(node: TableRow): number {
  return node.position?.start.line ?? 0;
}
