import { defineEntity } from '@mikro-orm/core';
import { createdTime, text } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';

/** The oldest version of the service that may run on the database. One row. */
export const Compatibility = defineEntity({
  name: 'Compatibility',
  tableName: 'compatibility',
  properties: {
    /** Always `service`. */
    id: text().primary(),
    /** As in `package.json`. Written by migrations (`setMinimumVersion`). */
    minimumVersion: text(),
  },
});

/**
 * A migration of the newest version that the former version can run with, although it does not know it. The names of
 * all others are in the table of the ORM's migrator: versions that do not know one of those refuse to run.
 */
export const EarlyMigration = defineEntity({
  name: 'EarlyMigration',
  tableName: 'early_migration',
  properties: {
    name: text().primary(),
    appliedAt: createdTime(),
  },
});

declare module '../database/tables.ts' {
  interface Tables {
    compatibility: Table<typeof Compatibility>;
    early_migration: Table<typeof EarlyMigration>;
  }
}
