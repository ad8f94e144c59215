import { LRUCache } from 'lru-cache';
import { propertyOf } from './naming.ts';
import { getTypeParser } from './value-types.ts';

/** A column as PostgreSQL describes it. */
export interface ColumnDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row from its values in PostgreSQL's text format, in the order of the columns. */
export type RowMaker = (values: readonly (string | null)[]) => Record<string, unknown>;

/** Types whose values need no parser: "char", name, text, char and varchar. */
const TEXT_TYPES = new Set([18, 19, 25, 1042, 1043]);

/** Compiled functions by the columns. All connections share them. */
const known = new LRUCache<string, RowMaker>({ max: 1_000 });

/**
 * The function that makes the rows of a result. With `namesRows`, their properties are named as in the code, otherwise as
 * the columns. It is compiled, so that all its rows have one hidden class: this takes a tenth of the time of setting
 * properties by name, and makes later reads faster. Of columns with the same name, the last one counts.
 */
export function rowMaker(columns: readonly ColumnDescription[], namesRows: boolean): RowMaker {
  const key = `${namesRows} ${columns.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join('\0')}`;
  const compiled = known.get(key) ?? compile(columns, namesRows ? propertyOf : (name) => name);
  known.set(key, compiled);
  return compiled;
}

function compile(columns: readonly ColumnDescription[], nameOf: (column: string) => string): RowMaker {
  const parsers = columns.map(({ dataTypeID }) => (TEXT_TYPES.has(dataTypeID) ? undefined : getTypeParser(dataTypeID)));
  const places = new Map(columns.map(({ name }, place) => [nameOf(name), place]));
  const members = [...places].map(([name, place]) => {
    const value = `values[${place}]`;
    const parsed = parsers[place] ? `${value} === null ? null : parsers[${place}](${value})` : value;
    // Names are escaped. A literal `__proto__` would set the prototype.
    return `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}: ${parsed}`;
  });
  return new Function('parsers', `return (values) => ({ ${members.join(', ')} });`)(parsers) as RowMaker; // by its text
}
