import { type EntitySchema, raw } from '@mikro-orm/core';
import type { Context } from '../context/context.ts';
import { batchLoader, type Loader } from './loader.ts';
import { type SharedRead, sharedRead } from './shared-reads.ts';

interface EntityProperties {
  /** Default: all that are not lazy. */
  fields?: readonly string[];
  /** Lazy properties, such as the version of the access. */
  populate?: readonly string[];
}

/**
 * Reads entities by id. All requests of the process share the statements and the entities, which must not be changed:
 * no unit of work manages them. Modules that cannot import the definition of an entity give its name.
 */
export const entitiesById = <Entity extends { id: string }>(
  entity: EntitySchema | string,
  properties: EntityProperties = {},
): SharedRead<Entity> =>
  sharedRead<Entity>(async (_db, ids, em) => {
    const of = typeof entity === 'string' ? em.getMetadata().getByClassName(entity).class : entity;
    // One parameter, so that the text of the statement does not depend on the number of ids.
    const where = { [raw((alias) => `${alias}.id = any(?::text[])`, [ids])]: [] };
    const options = { ...(properties as object), disableIdentityMap: true };
    const entities: unknown[] = await em.find(of, where as never, options);
    return new Map((entities as Entity[]).map((row) => [row.id, row])); // as the caller names its properties
  });

/**
 * A loader of entities by id, without those that `isShown` excludes for the caller. For kinds that a request shows
 * few of; lists of many read rows (docs/data-model.md, Rows and entities).
 */
export function entityLoader<Row extends { id: string }>(
  schema: EntitySchema,
  {
    name = schema.meta.className,
    fields,
    isShown,
  }: {
    /** Of the loader, if the entity has several. */
    name?: string;
    fields?: readonly (keyof Row & string)[];
    isShown?: (ctx: Context, entity: Row) => boolean | Promise<boolean>;
  },
): Loader<Row> {
  const read = entitiesById<Row>(schema, fields && { fields });
  return batchLoader(`entity:${name}`, async (ctx, ids) => {
    const entities = await read(ctx, ids);
    if (!isShown) return entities;
    const visible = await Promise.all([...entities.values()].map((entity) => isShown(ctx, entity)));
    return new Map([...entities].filter((_, index) => visible[index]));
  });
}
