import { block, paragraph } from '../../build.ts';
import type {
  Block,
  BlockOf,
  CardsView,
  Fragment,
  GridView,
  TableColumn,
  TableData,
  TableRecord,
} from '../../document.ts';
import { isEmptyParagraph } from '../../empty.ts';
import { orderIndexAt } from '../../table-cells.ts';
import { isUntitled } from '../../table-headers.ts';
import { tableColumn } from '../../table-shape.ts';
import { flagOf, jsonOf, numberValue } from '../attribute-values.ts';
import { gridOf, type PlacedCell, rowElements } from './html-grid.ts';
import { isBlockElement } from './html-names.ts';
import type { Item, MarkupElement } from './item.ts';
import { trimmedItems } from './items.ts';
import { readCellValue } from './read-cell-value.ts';
import { type ReadContext, readWithAnchors } from './read-context.ts';
import { cellId, columnId, readColumnTitle, recordId } from './read-table.ts';
import { optionsIn, withoutOptions } from './select-options.ts';

const CELL_DEPTH = 2;

/** `<table>`: a grid, or cards with `data-view`, with the column attributes that are printed for them. */
export function readTableElement(table: MarkupElement, ctx: ReadContext, depth: number): BlockOf<'table'> {
  const { header, rows } = rowElements(table);
  const grid = gridOf(rows);
  const count = Math.max(grid.columns, header.length, 1);
  const fragments: Fragment[] = [];
  const columns = Array.from({ length: count }, (_, i) => columnOf(header[i], i, fragments, ctx, depth));
  const records = grid.rows.map((cells, place): [string, TableRecord] => {
    const values: Record<string, unknown> = {};
    for (const cell of cells) {
      const column = columns[cell.column];
      if (!column) continue;
      const value = cellValueOf(cell, column, place, fragments, ctx, depth);
      if (value !== undefined) values[column.id] = value;
    }
    return [recordId(place), { orderIndex: orderIndexAt(place, grid.rows.length), values }];
  });
  const definition = Object.fromEntries(columns.map((column) => [column.id, column]));
  const order = columns.map(({ id }) => id);
  const data: TableData = {
    view: viewOf(table, header, columns),
    records: Object.fromEntries(records),
    definition,
    order,
  };
  return block('table', { data: { ...data, ...mergesOf(grid.rows), ...tableFlags(table) }, fragments });
}

function columnOf(
  th: MarkupElement | undefined,
  place: number,
  fragments: Fragment[],
  ctx: ReadContext,
  depth: number,
): TableColumn {
  const title = th ? contentOf(trimmedItems(withoutOptions(th.items)), ctx, depth + CELL_DEPTH) : [];
  const attribute = (name: string): string | undefined => th?.attributes.get(name);
  const align = attribute('align');
  const named = { id: columnId(place), ...readColumnTitle(title, columnId(place), fragments) };
  const column = {
    ...named,
    type: attribute('data-type') ?? 'text',
    textAlignment: align === 'center' || align === 'right' ? align : 'left',
    verticalAlignment: attribute('valign'),
    multiple: flagOf(attribute('data-multiple')) ?? false,
    max: numberValue(attribute('data-max')) ?? 5,
    options: jsonOf(attribute('data-options')) ?? optionsIn(th),
  };
  const read = tableColumn.safeParse(column);
  return read.success ? read.data : { ...named, type: 'text', textAlignment: 'left' };
}

function cellValueOf(
  { element, column: at }: PlacedCell,
  column: TableColumn,
  record: number,
  fragments: Fragment[],
  ctx: ReadContext,
  depth: number,
): unknown {
  if (column.type !== 'text') return readCellValue(element, column, ctx, depth);
  const nodes = contentOf(element.items, ctx, depth + CELL_DEPTH);
  if (nodes.every(isEmptyParagraph)) return undefined;
  const name = cellId(record, at);
  const shared = fragments.at(-1);
  if (shared?.fragment !== name) fragments.push({ object: 'fragment', fragment: name, nodes });
  else for (const node of nodes) shared.nodes.push(node);
  return name;
}

/** Cells without block elements are one line, even if they only contain an image. */
function contentOf(items: readonly Item[], ctx: ReadContext, depth: number): Block[] {
  const isLine = items.every((item) => item.kind === 'text' || (item.kind === 'element' && !isBlockElement(item)));
  return isLine ? readWithAnchors(ctx, [], () => [paragraph(ctx.line(items, depth))]) : ctx.blocks(items, depth);
}

function viewOf(
  table: MarkupElement,
  header: readonly MarkupElement[],
  columns: readonly TableColumn[],
): GridView | CardsView {
  const { attributes } = table;
  const marked = (name: string): TableColumn | undefined => columns.find((_, i) => header[i]?.attributes.has(name));
  const visibleIds = columns.filter((_, i) => !header[i]?.attributes.has('data-hidden')).map(({ id }) => id);
  if (attributes.get('data-view') !== 'cards') return gridView(table, header, columns, visibleIds);
  const roles = {
    targetDefinition: marked('data-card-target')?.id,
    coverDefinition: marked('data-card-cover')?.id,
    coverDefinitionDark: marked('data-card-cover-dark')?.id,
    hideColumnTitle: flagOf(attributes.get('data-column-title-hidden')),
    wrap: flagOf(attributes.get('data-wrap')),
  };
  const cardSize = attributes.get('data-card-size') === 'large' ? 'large' : 'medium';
  return { type: 'cards', cardSize, columns: visibleIds, ...present(roles) };
}

function gridView(
  { attributes }: MarkupElement,
  header: readonly MarkupElement[],
  columns: readonly TableColumn[],
  visibleIds: string[],
): GridView {
  const widths = columns.flatMap(({ id }, i): [string, number][] => {
    const width = numberValue(header[i]?.attributes.get('width'));
    return width === undefined ? [] : [[id, width]];
  });
  const flags = {
    stickyHeader: flagOf(attributes.get('data-sticky-header')),
    stickyFirstColumn: flagOf(attributes.get('data-sticky-first-column')),
    useNewSizing: flagOf(attributes.get('data-new-sizing')),
  };
  return {
    type: 'grid',
    columns: visibleIds,
    hideHeader: flagOf(attributes.get('data-header-hidden')) ?? columns.every(isUntitled),
    ...(widths.length > 0 && { columnWidths: Object.fromEntries(widths) }),
    ...present(flags),
  };
}

function tableFlags({ attributes }: MarkupElement): { fullWidth?: boolean; search?: boolean } {
  return present({
    fullWidth: flagOf(attributes.get('data-full-width')),
    search: flagOf(attributes.get('data-search')),
  });
}

function mergesOf(rows: readonly (readonly PlacedCell[])[]): Pick<TableData, 'cellMerges'> {
  const cellMerges = rows.flatMap((cells, record) =>
    cells
      .filter(({ rowSpan, colSpan }) => rowSpan > 1 || colSpan > 1)
      .map(({ column, rowSpan, colSpan }) => ({
        anchor: { record: recordId(record), column: columnId(column) },
        rowSpan,
        colSpan,
      })),
  );
  return cellMerges.length > 0 ? { cellMerges } : {};
}

function present<T extends object>(members: T): T {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T; // only undefined properties, which are optional, are left out
}
