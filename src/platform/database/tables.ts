import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager, InferKyselyTable } from '@mikro-orm/postgresql';
import type { Kysely, Selectable } from 'kysely';

/**
 * The columns of a table by property name, from its entity definition: for reading (`Selectable`), inserting and
 * updating.
 */
export type Table<Entity extends EntitySchemaWithMeta> = InferKyselyTable<Entity, { columnNamingStrategy: 'property' }>;

/**
 * All tables of the service by SQL name. Each module adds its tables in `entity.ts` by declaration merging, so that the
 * platform does not import modules.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules extend it.
export interface Tables {}

/**
 * The query builder over all tables: on a pool, or inside of a command on its transaction. Queries and result rows have
 * property names. Only the text of `sql` has column names.
 */
export type Database = Kysely<Tables>;

/** A row of a table, as read. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;

/**
 * The query builder of an entity manager: within its transaction, if there is one.
 *
 * The ORM could rename columns itself (`getKysely({ columnNamingStrategy: 'property' })`), but it would walk every
 * statement, copy every row, and ignore `sql` texts. Here the compiler renames columns in statements, and the driver
 * once per result (`PoolDialect`).
 */
export const databaseOf = (em: EntityManager): Database => em.getKysely<Tables>();
