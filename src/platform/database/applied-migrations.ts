/** Names of migrations that a version has to know in order to run. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** Names of migrations that the former version does not know and can run with. */
export const EARLY_MIGRATIONS_TABLE = 'early_migration';

/** Names of the applied migrations. */
export interface AppliedMigrations {
  /** A version that does not know these refuses to run. In the order in which they were applied. */
  required: string[];
  /** A version may run without knowing these. */
  early: string[];
}

/** Runs a statement: on a client, or in a query builder. */
type RunQuery = (statement: string) => Promise<{ rows: unknown[] }>;

/** Reads the names of the applied migrations. Undefined for a database that was never migrated. */
export async function appliedMigrations(run: RunQuery): Promise<AppliedMigrations | undefined> {
  const required = await namesIn(run, MIGRATIONS_TABLE, 'id');
  return required && { required, early: (await namesIn(run, EARLY_MIGRATIONS_TABLE, 'name')) ?? [] };
}

/** Undefined if there is no such table. */
async function namesIn(run: RunQuery, table: string, order: string): Promise<string[] | undefined> {
  const { rows } = await run(`select to_regclass('public.${table}') is not null as present`);
  const [{ present: isThere = false } = {}] = rows as { present?: boolean }[]; // as selected
  if (!isThere) return undefined;
  const result = await run(`select name from public.${table} order by ${order}`);
  return (result.rows as { name: string }[]).map(({ name }) => name); // as selected
}
