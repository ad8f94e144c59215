import type { Column, Content } from 'pdfmake/interfaces.d.ts';
import { isCellRef } from '../document/data-shapes.ts';
import type { BlockOf, CardsView, TableColumn, TableRecord } from '../document/document.ts';
import { recordsOf } from '../document/table-cells.ts';
import { GAP_BELOW } from './boxes.ts';
import { linkOf, type Printing, targetOf } from './context.ts';
import { imageContent } from './images.ts';
import { plainRuns } from './inlines.ts';
import { INK, LINK, WIDTH } from './styles.ts';

const PER_ROW = { medium: 3, large: 2 };
const COLUMN_GAP = 12;
const PADDING = 10;

/** Cards side by side, each with its cover, its fields and a link to its target. A row of cards stays on one sheet. */
export function cardsContent(
  printing: Printing,
  table: BlockOf<'table'>,
  view: CardsView,
  cell: (record: TableRecord, column: TableColumn) => Content[],
): Content {
  const perRow = PER_ROW[view.cardSize] ?? PER_ROW.medium;
  const width = (WIDTH - COLUMN_GAP * (perRow - 1)) / perRow;
  const beside = [view.targetDefinition, view.coverDefinition, view.coverDefinitionDark];
  const columns = view.columns.flatMap((id) => (beside.includes(id) ? [] : (table.data.definition[id] ?? [])));
  const cards = recordsOf(table).map(([, record]): Content[] => [
    ...coverOf(printing, record, view, width - 2 * PADDING),
    ...columns.flatMap((column, index) => emphasized(cell(record, column), index === 0)),
    ...targetLink(printing, record, view),
  ]);
  const rows = Array.from({ length: Math.ceil(cards.length / perRow) }, (_, row): Content => {
    const some = cards.slice(row * perRow, (row + 1) * perRow);
    const columnsOfRow = Array.from({ length: perRow }, (_each, index): Column => frame(some[index], width));
    return { columns: columnsOfRow, columnGap: COLUMN_GAP, unbreakable: true, margin: [0, 0, 0, COLUMN_GAP] };
  });
  return { stack: rows, fontSize: 9.5, margin: GAP_BELOW };
}

const emphasized = (content: Content[], isTitle: boolean): Content[] =>
  content.length === 0 ? [] : [{ stack: content, ...(isTitle ? { bold: true } : { color: INK.grey }) }];

function frame(card: Content[] | undefined, width: number): Column {
  if (!card) return { width, text: '' };
  return {
    width,
    table: { widths: ['*'], body: [[{ stack: card.length > 0 ? card : [{ text: ' ' }] }]] },
    layout: {
      hLineColor: () => INK.line,
      vLineColor: () => INK.line,
      hLineWidth: () => 0.7,
      vLineWidth: () => 0.7,
      paddingLeft: () => PADDING,
      paddingRight: () => PADDING,
      paddingTop: () => PADDING,
      paddingBottom: () => 2,
    },
  };
}

/** A cell of a record that contains references, or ids of files. */
function valuesOf(record: TableRecord, column: string | undefined): unknown[] {
  const value = column === undefined ? undefined : record.values[column];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const MAX_COVER_HEIGHT = 120;

function coverOf(printing: Printing, record: TableRecord, view: CardsView, width: number): Content[] {
  const [cover] = valuesOf(record, view.coverDefinition);
  const file = isCellRef(cover) ? (cover.kind === 'file' ? cover.file : undefined) : cover;
  if (typeof file !== 'string') return [];
  const shown = imageContent(printing, { ref: { kind: 'file', file } });
  return shown ? [{ ...shown, fit: [width, MAX_COVER_HEIGHT], alignment: 'center', margin: [0, 0, 0, 6] }] : [];
}

function targetLink(printing: Printing, record: TableRecord, view: CardsView): Content[] {
  const [target] = valuesOf(record, view.targetDefinition);
  if (!isCellRef(target)) return [];
  const link = linkOf(printing, target);
  const label = targetOf(printing, target)?.label ?? (target.kind === 'url' ? target.url : '');
  if (label === '' || Object.keys(link).length === 0) return [];
  return [{ text: plainRuns(printing, `→ ${label}`, { ...link, color: LINK }), fontSize: 8.5, margin: [0, 2, 0, 6] }];
}
