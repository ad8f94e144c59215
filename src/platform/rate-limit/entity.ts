import { defineEntity, p } from '@mikro-orm/core';
import { text, time } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';

/**
 * Number of requests that the processes have leased for a token, user or address in a window. The table is unlogged:
 * writing is cheap, and a crash of the database empties it, which only resets the counts of one minute.
 */
export const RateLease = defineEntity({
  name: 'RateLease',
  tableName: 'rate_lease',
  properties: {
    /** The token, user or address. */
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
