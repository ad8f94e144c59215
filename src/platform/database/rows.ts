import { LRUCache } from 'lru-cache';
import { propertyOf } from './naming.ts';
import { valueReader } from './value-readers.ts';

/** A column as PostgreSQL describes it. */
export interface ColumnDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row from the bytes of a `DataRow`, in which the number of columns is at `start`. */
export type RowMaker = (bytes: Buffer, start: number) => Record<string, unknown>;

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
  const readers = columns.map(({ dataTypeID }) => valueReader(dataTypeID));
  const places = new Map(columns.map(({ name }, place) => [nameOf(name), place]));
  const shown = new Set(places.values());
  const names = readers.map((_, place) => `read${place}`);
  const values = columns.map((_, place) =>
    shown.has(place)
      ? `length = lengthAt(bytes, at); at += 4;
        let value${place} = null;
        if (length !== -1) { value${place} = read${place}(bytes, at, length); at += length; }`
      : 'length = lengthAt(bytes, at); at += length === -1 ? 4 : 4 + length;',
  );
  // Names are escaped. A literal `__proto__` would set the prototype.
  const members = [...places].map(
    ([name, place]) => `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}: value${place}`,
  );
  const text = `const [${names.join(', ')}] = readers;
    return (bytes, start) => {
      let at = start + 2;
      let length = 0;
      ${values.join('\n')}
      return { ${members.join(', ')} };
    };`;
  return new Function('readers', 'lengthAt', text)(readers, lengthAt) as RowMaker; // by its text
}

/** The length of a value, -1 for null. Faster than `readInt32BE`, which checks its argument. */
const lengthAt = (bytes: Buffer, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);
