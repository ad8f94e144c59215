import { defineEntity } from '@mikro-orm/core';
import { text } from '../database/columns.ts';
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

declare module '../database/tables.ts' {
  interface Tables {
    compatibility: Table<typeof Compatibility>;
  }
}
