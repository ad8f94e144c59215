import type { ContentRef } from '../document/content-ref.ts';
import { isCellRef } from '../document/data-shapes.ts';
import type { BlockOf, CardsView, TableColumn, TableRecord } from '../document/document.ts';
import { recordsOf } from '../document/table-cells.ts';
import { type Html, html } from './html.ts';
import { pictureHtml } from './inlines.ts';
import { hrefOf, type WebPrinting, webTarget } from './printing.ts';

/** The records of a table as cards, with their cover and the fields of the view. The target makes the card a link. */
export function cardsHtml(
  printing: WebPrinting,
  table: BlockOf<'table'>,
  view: CardsView,
  cell: (record: TableRecord, column: TableColumn) => Html,
): Html {
  const hidden = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark]);
  const columns = view.columns.flatMap((id) => (hidden.has(id) ? [] : (table.data.definition[id] ?? [])));
  const cards = recordsOf(table).map(([, record]) => {
    const fields = columns.map((column) => html`<div>${cell(record, column)}</div>`);
    return html`<li>${coverHtml(printing, record, view)}<div class="fields">${fields}</div>${targetHtml(printing, record, view)}</li>`;
  });
  return html`<ul class="cards ${view.cardSize}">${cards}</ul>`;
}

function refIn(record: TableRecord, column: string | undefined): ContentRef | undefined {
  const value = column === undefined ? undefined : record.values[column];
  const [first] = Array.isArray(value) ? value : [value];
  if (typeof first === 'string' && first !== '') return { kind: 'file', file: first };
  const ref = typeof first === 'object' && first !== null && 'ref' in first ? first.ref : first;
  return isCellRef(ref) ? ref : undefined;
}

function coverHtml(printing: WebPrinting, record: TableRecord, view: CardsView): Html | undefined {
  const [ref, dark] = [refIn(record, view.coverDefinition), refIn(record, view.coverDefinitionDark)];
  if (ref?.kind !== 'file') return undefined;
  return pictureHtml(printing, { ref, ...(dark?.kind === 'file' && { refDark: dark }) }, { alt: '' });
}

function targetHtml(printing: WebPrinting, record: TableRecord, view: CardsView): Html | undefined {
  const ref = refIn(record, view.targetDefinition);
  const target = ref && webTarget(printing, ref);
  if (target?.url === undefined) return undefined;
  return html`<a class="target"${hrefOf(printing, target.url)}>${target.label}</a>`;
}
