import type { EntitySchema, InferEntity } from '@mikro-orm/core';
import type { Context } from '../context.ts';

/**
 * Makes an entity from a row that was read under its row lock. Changes are written by `ctx.em.flush()`, and nothing is
 * sent without changes. For settings of one resource. Columns that a trigger sets keep the value that was read.
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
