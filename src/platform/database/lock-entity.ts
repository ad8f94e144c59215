import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Context } from '../context/context.ts';
import { type EntityRow, entityFromRow } from './entity-from-row.ts';

/**
 * Locks one row until the transaction ends and returns its entity, or undefined when nothing matches. `columns` names
 * what to read, to leave out large values. The lock is `for no key update`: the ORM's `LockMode.PESSIMISTIC_WRITE`
 * would also block commands that lock the row `for key share`.
 */
export async function lockEntity<Schema extends EntitySchemaWithMeta>(
  ctx: Context,
  schema: Schema,
  where: NoInfer<Partial<EntityRow<Schema>>>,
  columns?: readonly NoInfer<keyof EntityRow<Schema> & string>[],
): Promise<EntityRow<Schema> | undefined> {
  const conditions = Object.entries(where).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql<EntityRow<Schema>>`
    select ${columns ? sql.join(columns.map((name) => sql.ref(name))) : sql`*`}
    from ${sql.table(schema.meta.tableName)}
    where ${sql.join(conditions, sql` and `)} for no key update`.execute(ctx.db);
  const [row] = rows;
  return row && entityFromRow(ctx, schema, row);
}
