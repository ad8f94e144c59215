import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';

/** A migration as `migrations/index.ts` lists it. */
export interface KnownMigration {
  name: string;
  class: Constructor<Migration>;
  /** The version that brings it, unless that is 0.2.0 or earlier. */
  since?: string;
  /**
   * When it runs in an update. The former version works on a database with the migrations of the phase `before`. Those
   * of the phase `after` remove what only the former version uses, once it no longer runs.
   */
  phase?: 'before' | 'after';
}

/** All migrations of a version, oldest first. Those of a version are in the order of their phases. */
export type MigrationList = readonly KnownMigration[];

export const namesOf = (migrations: MigrationList): string[] => migrations.map(({ name }) => name);

/** Whether a migration is of the newest version in the list, so that the former version does not know it. */
const isNew = ({ since }: KnownMigration, list: MigrationList) => since !== undefined && since === list.at(-1)?.since;

/** Whether the former version can run on a database with this migration, which it does not know. */
export const isEarly = (migration: KnownMigration, list: MigrationList): boolean =>
  isNew(migration, list) && migration.phase !== 'after';

/** Whether a migration waits until the former version no longer runs. */
export const isLate = (migration: KnownMigration, list: MigrationList): boolean =>
  isNew(migration, list) && migration.phase === 'after';
