import { type RawBuilder, sql } from 'kysely';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import type { Comparison, Filter, FilterValue } from './parse-filter.ts';

type Condition = RawBuilder<boolean>;

/** An attribute with one value, as it is read in SQL. */
export interface Column {
  type: 'string' | 'boolean' | 'dateTime';
  /** Compared with regard to case. */
  isExact?: true;
  by: RawBuilder<unknown>;
  /** Whether it equals a text, if an index finds that sooner than a comparison. Never null. */
  equals?: (value: RawBuilder<unknown>) => Condition;
}

/** An attribute with several values. Each value is a row with the columns. */
export interface Rows {
  from: RawBuilder<unknown>;
  /** By the name of the sub-attribute, in lowercase. */
  columns: Readonly<Record<string, Column>>;
}

/** The attributes of a kind of resource that filters can name, by their path without schema, in lowercase. */
export interface Filterable {
  /** Schema of the attributes whose paths need none. */
  schema: string;
  columns: Readonly<Record<string, Column>>;
  rows: Readonly<Record<string, Rows>>;
}

const VALUE = 'value';

/** The condition of a filter in SQL, whose size is that of the filter. Throws `invalidFilter`. */
export function conditionOf(filter: Filter, of: Filterable): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(
        filter.kind,
        filter.parts.map((part) => conditionOf(part, of)),
      );
    case 'not':
      return sql`(not ${conditionOf(filter.part, of)})`;
    case 'some': {
      const rows = ownValue(of.rows, bare(filter.path, of));
      if (!rows) throw unknownAttribute(filter.path);
      return someRow(rows, conditionOf(filter.filter, { schema: of.schema, columns: rows.columns, rows: {} }));
    }
    default:
      return ofAttribute(filter, of);
  }
}

function ofAttribute(filter: Extract<Filter, { path: string; kind: 'compare' | 'present' }>, of: Filterable) {
  const path = bare(filter.path, of);
  const column = ownValue(of.columns, path);
  if (column) return ofColumn(filter, column);
  const [name = '', sub = VALUE] = path.split('.', 2);
  const rows = ownValue(of.rows, name);
  const inRow = rows && ownValue(rows.columns, sub);
  if (!rows || !inRow) throw unknownAttribute(filter.path);
  return someRow(rows, ofColumn(filter, inRow));
}

const joined = (kind: 'and' | 'or', conditions: Condition[]): Condition =>
  sql`(${sql.join(conditions, sql.raw(` ${kind} `))})`;

const someRow = ({ from }: Rows, condition: Condition): Condition => sql`exists (select ${from} and ${condition})`;

/** The column that an attribute of one value is sorted by. Throws `invalidValue`. */
export function sortColumn(path: string, of: Filterable): RawBuilder<unknown> {
  const column = ownValue(of.columns, bare(path, of));
  if (!column) throw new ScimError('invalidValue', `sortBy: "${path.slice(0, 100)}" cannot be sorted by.`);
  return column.type === 'string' && !column.isExact ? sql`lower(${column.by})` : column.by;
}

/** What has a name that a client gave. Every object has properties of others, such as `constructor`. */
const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** A path in lowercase, without the schema of the resource. */
function bare(path: string, { schema }: Filterable): string {
  const lower = path.toLowerCase();
  const prefix = `${schema.toLowerCase()}:`;
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}

const unknownAttribute = (path: string) =>
  new ScimError('invalidFilter', `"${path.slice(0, 100)}" is not an attribute that can be filtered by.`);

/** Never null, so that its negation is right for resources without the attribute. */
function ofColumn(filter: Extract<Filter, { kind: 'compare' | 'present' }>, column: Column): Condition {
  if (filter.kind === 'present') return present(column);
  const { op, value } = filter;
  if (column.equals === undefined || op !== 'eq' || typeof value !== 'string')
    return sql`coalesce(${compared(filter, column)}, false)`;
  rejectUnstorable(value);
  return column.equals(sql`${value}::text`);
}

const present = ({ type, by }: Column): Condition =>
  type === 'string' ? sql`(${by} is not null and ${by} <> '')` : sql`(${by} is not null)`;

function compared({ path, op, value }: Extract<Filter, { kind: 'compare' }>, column: Column): Condition {
  if (value === null) return nullCompared(path, op, column);
  if (column.type === 'boolean') return booleanCompared(path, op, value, column);
  if (column.type === 'dateTime') return timeCompared(path, op, value, column);
  if (typeof value !== 'string') throw wrongValue(path, 'a text in double quotes');
  rejectUnstorable(value);
  const [actual, expected] = column.isExact
    ? [column.by, sql`${value}::text`]
    : [sql`lower(${column.by})`, sql`lower(${value}::text)`];
  return textCompared(op, actual, expected);
}

function textCompared(op: Comparison, actual: RawBuilder<unknown>, expected: RawBuilder<unknown>): Condition {
  switch (op) {
    case 'co':
      return sql`(strpos(${actual}, ${expected}) > 0)`;
    case 'sw':
      return sql`starts_with(${actual}, ${expected})`;
    case 'ew':
      return sql`(right(${actual}, length(${expected})) = ${expected})`;
    case 'ne':
      return sql`(${actual} is distinct from ${expected})`;
    default:
      return sql`(${actual} ${sql.raw(SIGNS[op])} ${expected})`;
  }
}

const SIGNS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function nullCompared(path: string, op: Comparison, column: Column): Condition {
  if (op === 'eq') return sql`(not ${present(column)})`;
  if (op === 'ne') return present(column);
  throw wrongValue(path, 'a value other than null with this operator');
}

/** Also `active eq "True"`, which clients write. */
function booleanCompared(path: string, op: Comparison, value: FilterValue, { by }: Column): Condition {
  const expected = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
  if (typeof expected !== 'boolean') throw wrongValue(path, 'true or false');
  if (op !== 'eq' && op !== 'ne') throw wrongValue(path, 'compared with eq or ne');
  return sql`(${by} ${sql.raw(op === 'eq' ? '=' : '<>')} ${expected}::boolean)`;
}

function timeCompared(path: string, op: Comparison, value: FilterValue, { by }: Column): Condition {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const iso = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  if (iso === undefined || !/^\d{4}-/.test(iso) || iso.startsWith('0000'))
    throw wrongValue(path, 'a time such as "2026-01-31T10:00:00Z"');
  if (op === 'ne') return sql`(${by} <> ${iso}::timestamptz)`;
  if (op === 'co' || op === 'sw' || op === 'ew') throw wrongValue(path, 'compared with eq, ne, gt, ge, lt or le');
  return sql`(${by} ${sql.raw(SIGNS[op])} ${iso}::timestamptz)`;
}

const wrongValue = (path: string, expected: string) =>
  new ScimError('invalidFilter', `"${path.slice(0, 100)}" must be ${expected}.`);

function rejectUnstorable(value: string): void {
  if (value.includes('\0') || !value.isWellFormed())
    throw new ScimError('invalidFilter', 'A text in the filter has a character that is not allowed.');
}
