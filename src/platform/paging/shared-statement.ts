import type { CompiledQuery, RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/tables.ts';
import { type SharedRead, sharedRead } from '../reads/shared-reads.ts';

/** Column of the parent that a row was read for. */
export const PARENT = 'parent id';

/** The rows of each parent, in their order. They are shared by requests, and must not be changed. */
export type ReadByParent<Row> = SharedRead<Row[]>;

interface Known {
  read: ReadByParent<unknown>;
  /** Length of the text and the values. */
  size: number;
}

/** Values of conditions can be long lists of ids. Statements with longer ones are not kept. */
const MAX_SIZE = 100_000;
const MAX_SIZE_OF_ALL = 8_000_000;
const MAX_STATEMENTS = 2_000;

const limits = { max: MAX_STATEMENTS, maxSize: MAX_SIZE_OF_ALL, sizeCalculation: ({ size }: Known) => size };
const byName = new LRUCache<string, Known>(limits);
const byText = new LRUCache<string, Known>(limits);

/**
 * The read of a statement over parents, whose text is made once for each name. Names that lead to the same text and values,
 * such as those of several callers who see everything, share their statements (`sharedRead`). `build` must use the ids as
 * one value. Undefined for a statement that is too long to be kept.
 */
export function sharedStatement<Row extends object>(
  name: string,
  db: Database,
  build: (parentIds: string[]) => RawBuilder<Row>,
): ReadByParent<Row> | undefined {
  const known = byName.get(name);
  if (known) return known.read as ReadByParent<Row>; // each name has one type
  const made = compile(db, build);
  if (made.size > MAX_SIZE) return undefined;
  byName.set(name, made);
  return made.read as ReadByParent<Row>;
}

function compile<Row extends object>(db: Database, build: (parentIds: string[]) => RawBuilder<Row>): Known {
  const parentIds: string[] = [];
  const compiled = build(parentIds).compile(db);
  const isParents = (value: unknown) => value === parentIds;
  const text = JSON.stringify([compiled.sql, compiled.parameters.map((value) => (isParents(value) ? null : value))]);
  const known = byText.get(text);
  if (known) return known;
  const read = sharedRead<Row[]>(async (on, keys) => {
    const parameters = compiled.parameters.map((value) => (isParents(value) ? keys : value));
    const { rows } = await on.executeQuery({ ...compiled, parameters } as CompiledQuery<Row>);
    return Map.groupBy(rows, (row) => (row as Record<string, unknown>)[PARENT] as string); // a selected column
  });
  const made = { read, size: text.length };
  if (made.size <= MAX_SIZE) byText.set(text, made);
  return made;
}
