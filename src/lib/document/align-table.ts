import { canonicalJson } from '../canonical.ts';
import type { BlockOf, TableColumn, TableRecord } from './document.ts';
import { withoutKeys } from './keys.ts';
import { pairSequences } from './pair-sequences.ts';
import { textOf } from './plain-text.ts';
import { distinctWords, sharedWords } from './shared-words.ts';
import { type Cells, cellAt, cellsOf, orderIndexAt, recordsOf, tableColumns } from './table-cells.ts';
import { renameTable } from './table-ids.ts';

/** The table with the ids of the same columns, records and cells in an earlier table. Others get new ids. */
export function alignTable(previous: BlockOf<'table'>, next: BlockOf<'table'>): BlockOf<'table'> {
  const columns = alignColumns(tableColumns(previous), tableColumns(next));
  const rows = alignRows(previous, next, columns);
  const columnIds = namesFor(columns, Object.keys(previous.data.definition));
  const recordIds = namesFor(rows, Object.keys(previous.data.records));
  const order = orderFor(previous, next, rows);
  const usedCells = new Set(previous.fragments.map((each) => each.fragment ?? ''));
  const cellName = (record: string, column: string, current: string): string => {
    const earlier = previous.data.records[rows.get(record) ?? '']?.values[columns.get(column) ?? ''];
    if (typeof earlier === 'string' && usedCells.has(earlier)) return earlier;
    const name = unusedName(current, usedCells);
    usedCells.add(name);
    return name;
  };
  const headerName = (column: string, current: string): string => {
    const earlier = previous.data.definition[columns.get(column) ?? '']?.header;
    return earlier !== undefined && usedCells.has(earlier) ? earlier : unusedName(current, usedCells);
  };
  return renameTable(next, {
    column: (id) => columnIds.get(id) ?? id,
    record: (id) => recordIds.get(id) ?? id,
    cell: cellName,
    orderIndex: (id, own) => order.get(id) ?? own,
    header: headerName,
  });
}

/** Maps ids of the next table to those of their partners in the previous one. */
type Partners = ReadonlyMap<string, string | undefined>;

function alignColumns(previous: readonly TableColumn[], next: readonly TableColumn[]): Partners {
  const partners = pairSequences(previous, next, {
    identity: (column) => JSON.stringify([column.title, column.type]),
    score: (a, b) => (a.type === b.type ? 0.25 + sharedWords(distinctWords(a.title), distinctWords(b.title)) : 0),
  });
  return new Map(next.map((column, i) => [column.id, previous[partners[i] ?? -1]?.id]));
}

interface Row {
  id: string;
  content: string;
  words: ReadonlySet<string>;
}

function alignRows(previous: BlockOf<'table'>, next: BlockOf<'table'>, columns: Partners): Partners {
  const nextColumns = tableColumns(next);
  const earlier = nextColumns.map((column) => previous.data.definition[columns.get(column.id) ?? '']);
  const before = rowsOf(previous, earlier);
  const partners = pairSequences(before, rowsOf(next, nextColumns), {
    identity: (row) => row.content,
    score: (a, b) => 0.25 + sharedWords(a.words, b.words),
  });
  return new Map(recordsOf(next).map(([id], i) => [id, before[partners[i] ?? -1]?.id]));
}

function rowsOf(table: BlockOf<'table'>, columns: readonly (TableColumn | undefined)[]): Row[] {
  const cells = cellsOf(table);
  return recordsOf(table).map(([id, record]) => {
    const contents = columns.map((column) => (column ? contentOf(cells, record, column) : null));
    const fragments = columns.map((column) => column && cellAt(cells, record, column));
    const words = distinctWords(fragments.map((each) => (each ? textOf(each) : '')).join(' '));
    return { id, content: canonicalJson(contents), words };
  });
}

function contentOf(cells: Cells, record: TableRecord, column: TableColumn): unknown {
  return withoutKeys(cellAt(cells, record, column)?.nodes) ?? record.values[column.id] ?? null;
}

function namesFor(partners: Partners, earlier: readonly string[]): Map<string, string> {
  const used = new Set(earlier);
  return new Map(
    [...partners].map(([id, partner]) => {
      const name = partner ?? unusedName(id, used);
      used.add(name);
      return [id, name];
    }),
  );
}

function unusedName(base: string, used: ReadonlySet<string>): string {
  let name = base;
  for (let i = 1; used.has(name); i++) name = `${base}-${i}`;
  return name;
}

/**
 * The former positions of the records if all of them had one and the order is the same, otherwise their new positions.
 */
function orderFor(previous: BlockOf<'table'>, next: BlockOf<'table'>, rows: Partners): Map<string, string> {
  const ids = recordsOf(next).map(([id]) => id);
  const earlier = ids.map((id) => previous.data.records[rows.get(id) ?? '']?.orderIndex);
  const isKept = earlier.every((index, i) => index !== undefined && (i === 0 || (earlier[i - 1] ?? '') < index));
  return new Map(ids.map((id, i) => [id, isKept ? (earlier[i] ?? '') : orderIndexAt(i, ids.length)]));
}
