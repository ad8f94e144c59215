import { defineEntity, p } from '@mikro-orm/core';
import { text, time } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';

/**
 * How many requests of somebody's window the processes have taken. The table is unlogged: cheap to write, and empty after
 * a crash of the database, which costs nobody more than a minute's count.
 */
export const RateLease = defineEntity({
  name: 'RateLease',
  tableName: 'rate_lease',
  properties: {
    /** Whose requests: a token, a user, an address. */
    bucket: text().primary(),
    windowStart: time(),
    taken: p.integer(),
  },
});

declare module '../database/tables.ts' {
  interface Tables {
    rate_lease: Table<typeof RateLease>;
  }
}
