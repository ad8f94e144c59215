import { isCellRef } from '../document/data-shapes.ts';
import type { Block, BlockOf, GridView, TableColumn, TableRecord } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import { type Cells, cellAt, cellsOf, cellValues, ratingIn, recordsOf, starsOf } from '../document/table-cells.ts';
import { headerOf } from '../document/table-headers.ts';
import { mergedCells } from '../document/table-spans.ts';
import { anchorsOf } from './anchors.ts';
import { cardsHtml } from './cards.ts';
import { type Html, html } from './html.ts';
import { classOf, phrasingHtml, pictureHtml } from './inlines.ts';
import { directionHtml, linkTo, type WebPrinting, webTarget } from './printing.ts';

type Inside = (blocks: readonly Block[]) => Html;

/** A table with the visible columns of its view, or cards. */
export function tableHtml(printing: WebPrinting, table: BlockOf<'table'>, inside: Inside): Html {
  const { view, definition } = table.data;
  const columns = view.columns.flatMap((id) => definition[id] ?? []);
  const cells = cellsOf(table);
  const compact = (nodes: readonly Block[]) => compactHtml(printing, nodes, inside);
  const cell = (record: TableRecord, column: TableColumn) => cellHtml(printing, cells, { record, column, compact });
  if (view.type === 'cards') return cardsHtml(printing, table, view, cell);
  if (columns.length === 0) return html``;
  const head = () =>
    columns.map((column) => {
      const header = headerOf(cells, column);
      const direction = directionHtml(printing, header ? textOf(header) : column.title);
      return html`<th scope="col"${alignment(column)}${direction}>${header ? compact(header.nodes) : column.title}</th>`;
    });
  return html`<div class="table" tabindex="0"><table>${widths(view, columns)}${!view.hideHeader && html`<thead><tr>${head()}</tr></thead>`}<tbody>${rows(printing, table, columns, cell)}</tbody></table></div>`;
}

function rows(
  printing: WebPrinting,
  table: BlockOf<'table'>,
  columns: readonly TableColumn[],
  cell: (record: TableRecord, column: TableColumn) => Html,
): Html[] {
  const records = recordsOf(table);
  const cells = cellsOf(table);
  const spanAt = mergedCells(
    table,
    records.map(([id]) => id),
    columns.map(({ id }) => id),
  );
  return records.map(([, record], row) => {
    const rowCells = columns.map((column, index) => {
      const span = spanAt(row, index);
      if (span === 'covered') return html``;
      const text = column.type === 'text' && cellAt(cells, record, column);
      const direction = text && directionHtml(printing, textOf(text));
      return html`<td${alignment(column)}${direction}${span && html` rowspan="${span.rowSpan}" colspan="${span.colSpan}"`}>${cell(record, column)}</td>`;
    });
    return html`<tr>${rowCells}</tr>`;
  });
}

const alignment = (column: TableColumn) =>
  column.type === 'text' && column.textAlignment !== 'left' && html` class="${column.textAlignment}"`;

function widths({ columnWidths }: GridView, columns: readonly TableColumn[]) {
  if (!columnWidths || Object.keys(columnWidths).length === 0) return undefined;
  const cols = columns.map(({ id }) => {
    const width = Math.round(columnWidths[id] ?? 0);
    return width > 0 && width < 2_000 ? html`<col width="${width}">` : html`<col>`;
  });
  return html`<colgroup>${cols}</colgroup>`;
}

function compactHtml(printing: WebPrinting, nodes: readonly Block[], inside: Inside): Html {
  const [only, ...others] = nodes;
  if (only?.type !== 'paragraph' || others.length > 0) return inside(nodes);
  return html`${anchorsOf(printing, only)}${phrasingHtml(printing, only.nodes)}`;
}

interface Cell {
  record: TableRecord;
  column: TableColumn;
  compact(nodes: readonly Block[]): Html;
}

function cellHtml(printing: WebPrinting, cells: Cells, { record, column, compact }: Cell): Html {
  if (column.type === 'text') return compact(cellAt(cells, record, column)?.nodes ?? []);
  const value = record.values[column.id];
  if (value === undefined || value === null || value === '') return html``;
  switch (column.type) {
    case 'checkbox':
      return html`<span class="box${value === true && ' checked'}" role="img" aria-label="${value === true ? printing.words.done : printing.words.open}"></span>`;
    case 'rating':
      return html`<span role="img" aria-label="${ratingIn(column, value)}/${column.max}">${starsOf(column, value)}</span>`;
    case 'select':
      return html`${cellValues(value).map((name) => optionHtml(column, name))}`;
    case 'number':
      return html`${String(value)}`;
    default:
      return html`${cellValues(value).map((item) => html`<span class="reference">${referenceHtml(printing, item)}</span>`)}`;
  }
}

function optionHtml({ options }: Extract<TableColumn, { type: 'select' }>, name: unknown): Html {
  const option = options.find(({ value }) => value === name);
  return html`<span class="chip ${classOf('back', option?.color ?? 'default')}">${option?.label ?? String(name)}</span>`;
}

/** Cells of files, users, images and pages contain references, images, or ids of files and users. */
function referenceHtml(printing: WebPrinting, item: unknown): Html {
  if (typeof item === 'object' && item !== null && 'ref' in item && isCellRef(item.ref)) {
    const { ref } = item;
    const alt = 'alt' in item ? String(item.alt) : '';
    const picture = ref.kind === 'file' || ref.kind === 'url' ? pictureHtml(printing, { ref }, { alt }) : undefined;
    return picture ?? referenceHtml(printing, ref);
  }
  if (isCellRef(item)) {
    const target = webTarget(printing, item);
    return linkTo(printing, target?.url, target?.label ?? '');
  }
  const target = printing.targets[`file:${String(item)}`] ?? printing.targets[`user:${String(item)}`];
  return linkTo(printing, target?.url, target?.label ?? '');
}
