import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Context } from '../context/context.ts';
import type { Table } from './tables.ts';

/** An entity, whose properties are the columns of its row. */
export type EntityRow<Schema extends EntitySchemaWithMeta> = Selectable<Table<Schema>>;

/**
 * Returns the entity of a row that the transaction has locked. `ctx.em.flush()` writes what was assigned to it since,
 * and sends nothing without changes. Columns that were not read are undefined, and are written once they are assigned.
 * Outside of transactions, where `authorize` checks the access of invalid inputs, it returns the row.
 */
export function entityFromRow<Schema extends EntitySchemaWithMeta>(
  { em, inTransaction }: Context,
  schema: Schema,
  row: NoInfer<Partial<EntityRow<Schema>>>,
): EntityRow<Schema> {
  if (!inTransaction) return row as EntityRow<Schema>; // it is not written
  const names = em
    .getMetadata()
    .get(schema.meta.class)
    .props.map(({ name }) => name);
  // Rows can have other properties beside their columns, such as the caller's role.
  const columns = Object.fromEntries(names.map((name) => [name, row[name as keyof typeof row]]));
  // `refresh`: a row that is read again replaces the entity of the earlier one.
  return em.merge(schema, columns as never, { refresh: true }) as EntityRow<Schema>; // the row's own columns
}
