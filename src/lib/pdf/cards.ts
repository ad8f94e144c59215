import type { Content, TableCell } from 'pdfmake/interfaces.d.ts';
import { isCellRef } from '../document/data-shapes.ts';
import type { BlockOf, CardsView, TableColumn, TableRecord } from '../document/document.ts';
import { recordsOf } from '../document/table-cells.ts';
import { GAP_BELOW } from './boxes.ts';
import { inReadingOrder, type PdfPrinting, pdfTarget, printedLink, withinWidth } from './context.ts';
import { imageContent } from './images.ts';
import { plainRuns } from './runs.ts';
import { INK, LINK } from './styles.ts';

const PER_ROW = { medium: 3, large: 2 };
const COLUMN_GAP = 12;
const PADDING = 10;
/** The width of all lines of a row, at most. */
const LINES_WIDTH = 6;

/** Cards side by side, each with its cover, its fields and a link to its target. A row of cards stays on one sheet. */
export function cardsContent(
  printing: PdfPrinting,
  table: BlockOf<'table'>,
  view: CardsView,
  cell: (inner: PdfPrinting, record: TableRecord, column: TableColumn) => Content[],
): Content {
  const perRow = PER_ROW[view.cardSize] ?? PER_ROW.medium;
  const width = (printing.width - COLUMN_GAP * (perRow - 1) - LINES_WIDTH) / perRow;
  const beside = [view.targetDefinition, view.coverDefinition, view.coverDefinitionDark];
  const columns = view.columns.flatMap((id) => (beside.includes(id) ? [] : (table.data.definition[id] ?? [])));
  const inner = withinWidth(printing, width - 2 * PADDING);
  const cards = recordsOf(table).map(([, record]): Content[] => [
    ...coverOf(inner, record, view),
    ...columns.flatMap((column, index) => emphasized(cell(inner, record, column), index === 0)),
    ...targetLink(inner, record, view),
  ]);
  const rows = Array.from({ length: Math.ceil(cards.length / perRow) }, (_, row) =>
    rowOf(printing, cards.slice(row * perRow, (row + 1) * perRow), perRow, width),
  );
  return { stack: rows, fontSize: 9.5, margin: GAP_BELOW };
}

const emphasized = (content: Content[], isTitle: boolean): Content[] =>
  content.length === 0 ? [] : [{ stack: content, ...(isTitle ? { bold: true } : { color: INK.grey }) }];

/** Cards of the same height. The cells between them and after the last one have no lines. */
function rowOf(printing: PdfPrinting, cards: readonly Content[][], perRow: number, width: number): Content {
  const cells = Array.from({ length: perRow }, (_, index): TableCell[] => {
    const card = cards[index];
    const cell = card ? { stack: card.length > 0 ? card : [{ text: ' ' }] } : { text: '', border: NO_LINES };
    return index === 0 ? [cell] : [{ text: '', border: NO_LINES }, cell];
  });
  const widths = cells.flatMap((_, index) => (index === 0 ? [width - 2 * PADDING] : [COLUMN_GAP, width - 2 * PADDING]));
  return {
    table: { widths, body: [inReadingOrder(printing, cells.flat())], dontBreakRows: true },
    layout: {
      hLineColor: () => INK.line,
      vLineColor: () => INK.line,
      hLineWidth: () => 0.7,
      vLineWidth: () => 0.7,
      paddingLeft: (column) => (column % 2 === 0 ? PADDING : 0),
      paddingRight: (column) => (column % 2 === 0 ? PADDING : 0),
      paddingTop: () => PADDING,
      paddingBottom: () => 2,
    },
    unbreakable: true,
    margin: [0, 0, 0, COLUMN_GAP],
  };
}

const NO_LINES: [boolean, boolean, boolean, boolean] = [false, false, false, false];

/** A cell of a record that contains references, or ids of files. */
function valuesOf(record: TableRecord, column: string | undefined): unknown[] {
  const value = column === undefined ? undefined : record.values[column];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const MAX_COVER_HEIGHT = 120;

function coverOf(printing: PdfPrinting, record: TableRecord, view: CardsView): Content[] {
  const [cover] = valuesOf(record, view.coverDefinition);
  const ref = typeof cover === 'object' && cover !== null && 'ref' in cover ? cover.ref : cover;
  const file = isCellRef(ref) ? (ref.kind === 'file' ? ref.file : undefined) : ref;
  if (typeof file !== 'string') return [];
  const content = imageContent(printing, { ref: { kind: 'file', file } });
  return content
    ? [{ ...content, fit: [printing.width, MAX_COVER_HEIGHT], alignment: 'center', margin: [0, 0, 0, 6] }]
    : [];
}

function targetLink(printing: PdfPrinting, record: TableRecord, view: CardsView): Content[] {
  const [target] = valuesOf(record, view.targetDefinition);
  if (!isCellRef(target)) return [];
  const link = printedLink(printing, target);
  const label = pdfTarget(printing, target)?.label ?? (target.kind === 'url' ? target.url : '');
  if (label === '' || Object.keys(link).length === 0) return [];
  return [
    {
      text: plainRuns(printing, `${printing.direction === 'rtl' ? '←' : '→'} ${label}`, { ...link, color: LINK }),
      fontSize: 8.5,
      margin: [0, 2, 0, 6],
    },
  ];
}
