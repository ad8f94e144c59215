import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/sql';
import type { Kysely, Selectable } from 'kysely';

/** Columns of a table by its entity definition: what a query reads (`Selectable`), inserts and updates. */
export type Table<Entity extends EntitySchemaWithMeta> = InferKyselyTable<Entity>;

/**
 * Every table of the service by its SQL name. Each room adds its own in its `entity.ts` by declaration merging, so
 * that machinery can be typed without importing rooms.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms extend it.
export interface Tables {}

/** The query builder over all tables: a pool outside a command, its transaction inside. */
export type Database = Kysely<Tables>;

/** A whole row of a table, as it is read. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
