import type pg from 'pg';

/** The table of the migrator. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** Names of the applied migrations, in order. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE} order by id`);
  return rows.map(({ name }) => name);
}
