import type { EntitySchema, InferEntity } from '@mikro-orm/core';
import type { Context } from '../context.ts';

/**
 * A row that a rule has loaded under its lock, as an entity: what is assigned to it is written by `ctx.em.flush()`, and
 * nothing is sent where nothing changed. For settings of one resource; columns that a trigger fills keep the value that
 * was read.
 */
export function held<Schema extends EntitySchema>(
  { em }: Context,
  schema: Schema,
  row: NoInfer<Partial<InferEntity<Schema>>>,
): InferEntity<Schema> {
  const names = em
    .getMetadata()
    .get<InferEntity<Schema> & object>(schema.meta.class)
    .props.map(({ name }) => name);
  const columns = Object.fromEntries(names.map((name) => [name, row[name as keyof typeof row]]));
  return em.merge(schema, columns as never) as InferEntity<Schema>; // the row's own columns
}
