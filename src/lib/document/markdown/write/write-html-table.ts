import type { BlockOf, CardsView, GridView, TableColumn, TableData, TableRecord } from '../../document.ts';
import { type Cells, cellAt, cellsOf, recordsOf } from '../../table-cells.ts';
import { headerOf } from '../../table-headers.ts';
import { escapeHtml } from '../entities.ts';
import { guardEnds } from './escape.ts';
import { writeCellValue } from './write-cell-value.ts';
import type { WriteContext } from './write-context.ts';
import { writeHtmlBlocks } from './write-html-blocks.ts';
import { writeAttribute } from './write-image-tag.ts';

/** A table as HTML, with `data-` attributes for properties that HTML tables do not have. */
export function writeHtmlTable(table: BlockOf<'table'>, columns: readonly TableColumn[], ctx: WriteContext): string {
  const cells = cellsOf(table);
  const spansAt = spansOf(table.data);
  const shownIds = new Set(table.data.view.columns);
  const header = columns
    .map((column) => writeHeader(column, { view: table.data.view, isShown: shownIds.has(column.id), cells }, ctx))
    .join('');
  const rows = recordsOf(table).map(([id, record]) => {
    const cellTags = columns.map((column) => writeCell(spansAt(id, column.id), cells, record, column, ctx)).join('');
    return `<tr>${cellTags}</tr>`;
  });
  return [
    `<table${tableAttributes(table.data)}>`,
    `<thead><tr>${header}</tr></thead>`,
    '<tbody>',
    ...rows,
    '</tbody>',
    '</table>',
  ].join('\n');
}

function tableAttributes({ view, fullWidth, search }: TableData): string {
  const own = view.type === 'grid' ? gridAttributes(view) : cardsAttributes(view);
  return own + flag('data-full-width', fullWidth) + flag('data-search', search);
}

function gridAttributes(view: GridView): string {
  return [
    flag('data-header-hidden', view.hideHeader),
    flag('data-sticky-header', view.stickyHeader),
    flag('data-sticky-first-column', view.stickyFirstColumn),
    flag('data-new-sizing', view.useNewSizing),
  ].join('');
}

function cardsAttributes(view: CardsView): string {
  return [
    ' data-view="cards"',
    writeAttribute('data-card-size', view.cardSize === 'large' ? 'large' : undefined),
    flag('data-column-title-hidden', view.hideColumnTitle),
    flag('data-wrap', view.wrap),
  ].join('');
}

interface Heading {
  view: GridView | CardsView;
  isShown: boolean;
  cells: Cells;
}

function writeHeader(column: TableColumn, { view, isShown, cells }: Heading, ctx: WriteContext): string {
  const { id, title } = column;
  const width = view.type === 'grid' ? view.columnWidths?.[id] : undefined;
  const attributes = [
    writeAttribute('width', width?.toString()),
    typeAttributes(column),
    isShown ? '' : ' data-hidden',
    view.type === 'cards' ? roleAttributes(view, id) : '',
  ];
  const header = headerOf(cells, column);
  const content = header ? writeHtmlBlocks(header.nodes, ctx) : guardEnds(escapeHtml(title));
  return `<th${attributes.join('')}>${content}</th>`;
}

function typeAttributes(column: TableColumn): string {
  switch (column.type) {
    case 'text': {
      const align = column.textAlignment === 'left' ? undefined : column.textAlignment;
      return writeAttribute('align', align) + writeAttribute('valign', column.verticalAlignment);
    }
    case 'users':
      return writeAttribute('data-type', 'users') + flag('data-multiple', column.multiple);
    case 'rating':
      return writeAttribute('data-type', 'rating') + writeAttribute('data-max', String(column.max));
    case 'select': {
      const options = writeAttribute('data-options', JSON.stringify(column.options));
      return writeAttribute('data-type', 'select') + flag('data-multiple', column.multiple) + options;
    }
    default:
      return writeAttribute('data-type', column.type);
  }
}

function roleAttributes(view: CardsView, id: string): string {
  return [
    view.targetDefinition === id && ' data-card-target',
    view.coverDefinition === id && ' data-card-cover',
    view.coverDefinitionDark === id && ' data-card-cover-dark',
  ]
    .filter(Boolean)
    .join('');
}

/** The attributes of a cell that covers others, which are still present. */
function spansOf({ cellMerges = [] }: TableData): (record: string, column: string) => string {
  const name = (record: string, column: string): string => JSON.stringify([record, column]);
  const spans = cellMerges.map(({ anchor, rowSpan, colSpan }): [string, string] => {
    const attributes =
      writeAttribute('data-rowspan', String(rowSpan)) + writeAttribute('data-colspan', String(colSpan));
    return [name(anchor.record, anchor.column), attributes];
  });
  const byCell = new Map(spans);
  return (record, column) => byCell.get(name(record, column)) ?? '';
}

function writeCell(spans: string, cells: Cells, record: TableRecord, column: TableColumn, ctx: WriteContext): string {
  if (column.type !== 'text') return writeCellValue(record.values[column.id], column, spans, ctx);
  return `<td${spans}>${writeHtmlBlocks(cellAt(cells, record, column)?.nodes ?? [], ctx)}</td>`;
}

function flag(name: string, value: boolean | undefined): string {
  return writeAttribute(name, value?.toString());
}
