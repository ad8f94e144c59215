import type { CompiledQuery } from 'kysely';
import { measureStatement, type StatementMeter } from './statement-meter.ts';
import type { Database } from './tables.ts';

/** A statement of the query builder, or of `sql`. */
interface Compilable<Row> {
  compile(db: Database): CompiledQuery<Row>;
}

/** Where a statement runs: a `DatabaseAccess` such as the `Context`, or a query builder alone. */
interface StatementScope {
  readonly db: Database;
  readonly meter?: StatementMeter | undefined;
}

/** Stands for a parameter of a statement while it is compiled. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is built and compiled once. For statements that many requests run.
 *
 *     const titles = statement((db, { ids }: { ids: string[] }) =>
 *       db.selectFrom('space').where('id', '=', anyOf(ids)).select(['id', 'title']));
 *     const rows = await titles(ctx, { ids });
 *
 * While it is built, each property of the parameters is a placeholder. So `build` must use them as values only: it
 * cannot look at them, and statements of another shape are other statements.
 */
export function statement<Parameters extends object, Row>(
  build: (db: Database, parameters: Parameters) => Compilable<Row>,
): (scope: StatementScope, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async ({ db, meter }, parameters) => {
    // The plugin of `withStatementMeter` counts statements when they are compiled.
    const plain = meter ? db.withoutPlugins() : db;
    compiled ??= build(plain, placeholders<Parameters>()).compile(plain);
    const query = bound(compiled, parameters);
    const { rows } = await measureStatement(meter, () => plain.executeQuery(query));
    return rows;
  };
}

/** An object whose properties are placeholders of their names. */
const placeholders = <Parameters extends object>() =>
  new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as Parameters; // only used as values

function bound<Row>(compiled: CompiledQuery<Row>, input: object): CompiledQuery<Row> {
  const values = compiled.parameters.map((value) =>
    value instanceof Placeholder ? input[value.name as keyof typeof input] : value,
  );
  return { ...compiled, parameters: values };
}
