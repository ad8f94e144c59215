import { Picture } from './media.tsx';
import { type Block, phrasingIn, type Ref } from './nodes.ts';
import { ReferenceLink } from './reference-link.tsx';
import { refOf, useTarget } from './references.tsx';
import { type BlockProps, Blocks, Box, colorOf, Line } from './render.tsx';
import { Scrollable } from './scrollable.tsx';

interface Column {
  id: string;
  title: string;
  header?: string;
  type: string;
  textAlignment?: string;
  max?: number;
  options?: { value: string; label: string; color: string }[];
}

interface TableRecord {
  orderIndex: string;
  values: Record<string, unknown>;
}

interface TableData {
  view: {
    type: 'grid' | 'cards';
    columns: string[];
    hideHeader?: boolean;
    targetDefinition?: string;
    coverDefinition?: string;
    coverDefinitionDark?: string;
  };
  records: Record<string, TableRecord>;
  definition: Record<string, Column>;
  cellMerges?: { anchor: { record: string; column: string }; rowSpan: number; colSpan: number }[];
}

type Cells = ReadonlyMap<string, readonly Block[]>;

/** A table with the columns of its view, or its records as cards. */
export function Table({ block }: BlockProps) {
  const data = block.data as unknown as TableData;
  const cells: Cells = new Map(block.fragments?.map(({ fragment = '', nodes }) => [fragment, nodes]));
  return data.view.type === 'cards' ? <Cards data={data} cells={cells} /> : <Grid data={data} cells={cells} />;
}

const recordsOf = ({ records }: TableData): [string, TableRecord][] =>
  Object.entries(records).sort(([idA, a], [idB, b]) => compare(a.orderIndex, b.orderIndex) || compare(idA, idB));

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

const columnsOf = ({ view, definition }: TableData): Column[] => view.columns.flatMap((id) => definition[id] ?? []);

function Grid({ data, cells }: { data: TableData; cells: Cells }) {
  const columns = columnsOf(data);
  const records = recordsOf(data);
  const spans = spansOf(data, records, columns);
  return (
    <Scrollable label="Table" className="table">
      <table>
        {!data.view.hideHeader && (
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.id} scope="col" dir="auto" className={alignmentOf(column)}>
                  {column.header !== undefined && cells.has(column.header) ? (
                    <Compact blocks={cells.get(column.header) ?? []} />
                  ) : (
                    column.title
                  )}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {records.map(([id, record]) => (
            <tr key={id}>
              {columns.map((column) => {
                const span = spans.get(`${id}/${column.id}`);
                if (span === 'covered') return null;
                return (
                  <td key={column.id} dir="auto" className={alignmentOf(column)} {...span}>
                    <Cell cells={cells} record={record} column={column} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

const alignmentOf = ({ textAlignment }: Column) =>
  textAlignment === 'right' ? 'align-end' : textAlignment === 'center' ? 'align-center' : undefined;

type Span = { rowSpan: number; colSpan: number } | 'covered';

/** The spans of merged cells by record and column, and the cells that they cover. */
function spansOf({ cellMerges = [] }: TableData, records: [string, TableRecord][], columns: Column[]) {
  const spans = new Map<string, Span>();
  const ids = records.map(([id]) => id);
  for (const { anchor, rowSpan, colSpan } of cellMerges) {
    const top = ids.indexOf(anchor.record);
    const left = columns.findIndex(({ id }) => id === anchor.column);
    if (top < 0 || left < 0) continue;
    for (const record of ids.slice(top, top + rowSpan)) {
      for (const { id } of columns.slice(left, left + colSpan)) spans.set(`${record}/${id}`, 'covered');
    }
    spans.set(`${anchor.record}/${anchor.column}`, { rowSpan, colSpan });
  }
  return spans;
}

/** One paragraph without the space of one. */
function Compact({ blocks }: { blocks: readonly Block[] }) {
  const [only, ...others] = blocks;
  if (only?.type !== 'paragraph' || others.length > 0) return <Blocks blocks={blocks} />;
  return <Line nodes={phrasingIn(only)} />;
}

/** Stars that are shown for a rating. */
const MAX_STARS = 20;

function Cell({ cells, record, column }: { cells: Cells; record: TableRecord; column: Column }) {
  const value = record.values[column.id];
  if (value === undefined || value === null || value === '') return null;
  switch (column.type) {
    case 'text':
      return <Compact blocks={cells.get(String(value)) ?? []} />;
    case 'checkbox':
      return <Box isChecked={value === true} />;
    case 'rating': {
      const rating = Math.max(0, Math.min(column.max ?? 5, Math.round(Number(value) || 0)));
      return (
        <span role="img" aria-label={`${rating} of ${column.max ?? 5}`}>
          {'★'.repeat(Math.min(MAX_STARS, rating))}
        </span>
      );
    }
    case 'select':
      return listOf(value).map((name) => {
        const option = column.options?.find((candidate) => candidate.value === name);
        return (
          <span key={String(name)} className={`chip back-${colorOf(option?.color)}`}>
            {option?.label ?? String(name)}
          </span>
        );
      });
    case 'number':
      return String(value);
    default:
      return listOf(value).map((item, index) => <CellReference key={index} item={item} />);
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Cells of files, users, images and pages have references, images, or ids of files and users. */
function CellReference({ item }: { item: unknown }) {
  const { ref, alt = '' } = refIn(item);
  const target = useTarget()(ref);
  if (!ref) return null;
  if (target?.image) return <Picture image={{ ref }} alt={alt} />;
  return (
    <span className="reference">
      <ReferenceLink target={target} />
    </span>
  );
}

function refIn(item: unknown): { ref?: Ref; alt?: string } {
  if (typeof item === 'string' && item !== '') return { ref: refOf(item) };
  if (typeof item !== 'object' || item === null) return {};
  if ('ref' in item) return { ...refIn(item.ref), ...('alt' in item && { alt: String(item.alt) }) };
  return 'kind' in item ? { ref: item as Ref } : {};
}

function Cards({ data, cells }: { data: TableData; cells: Cells }) {
  const { targetDefinition, coverDefinition, coverDefinitionDark } = data.view;
  const hidden = new Set([targetDefinition, coverDefinition, coverDefinitionDark]);
  const columns = columnsOf(data).filter(({ id }) => !hidden.has(id));
  const target = useTarget();
  const refAt = (record: TableRecord, column: string | undefined) =>
    column === undefined ? {} : refIn(listOf(record.values[column])[0]);
  return (
    <ul className="cards">
      {recordsOf(data).map(([id, record]) => {
        const { ref: cover } = refAt(record, coverDefinition);
        const { ref: coverDark } = refAt(record, coverDefinitionDark);
        const link = target(refAt(record, targetDefinition).ref);
        return (
          <li key={id}>
            {cover && target(cover)?.image && (
              <Picture image={coverDark ? { ref: cover, refDark: coverDark } : { ref: cover }} alt="" />
            )}
            {columns.map((column) => (
              <div key={column.id}>
                <Cell cells={cells} record={record} column={column} />
              </div>
            ))}
            {link?.href !== undefined && <ReferenceLink target={link} className="card-link" />}
          </li>
        );
      })}
    </ul>
  );
}
