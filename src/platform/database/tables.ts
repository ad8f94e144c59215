import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager, InferKyselyTable } from '@mikro-orm/postgresql';
import type { Kysely, Selectable } from 'kysely';

/** Properties of a table by its entity definition: what a query reads (`Selectable`), inserts and updates. */
export type Table<Entity extends EntitySchemaWithMeta> = InferKyselyTable<Entity, { columnNamingStrategy: 'property' }>;

/**
 * Every table of the service by its SQL name. Each module adds its own in its `entity.ts` by declaration merging, so
 * that machinery can be typed without importing modules.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules extend it.
export interface Tables {}

/**
 * The query builder over all tables: a pool outside a command, its transaction inside. It names columns by the properties
 * of the entities, in what it is asked and in the rows that it reads; only the text of `sql` has the names of columns.
 */
export type Database = Kysely<Tables>;

/** A whole row of a table, as it is read. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;

/**
 * The query builder of an entity manager: within its transaction, if it is in one.
 *
 * The ORM can rename columns itself (`getKysely({ columnNamingStrategy: 'property' })`), by walking every statement before
 * it is compiled and copying every row that is read, and knows nothing of `sql` texts. Here the compiler writes
 * columns and the driver renames the columns of a result once (`PoolDialect`), so a row costs nothing.
 */
export const databaseOf = (em: EntityManager): Database => em.getKysely<Tables>();
