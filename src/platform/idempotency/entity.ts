import { defineEntity } from '@mikro-orm/core';
import { createdTime, hash, json, text } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';

/** A command that was done under a key, so that sending it again does nothing more (docs/decisions.md, Idempotency). */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    actorId: text().primary(),
    operation: text().primary(),
    key: text().primary(),
    /** Of the checked input. */
    inputHash: hash(),
    /** The ids that the command answered with. Null only inside its transaction. */
    outcome: json<unknown>().nullable(),
    createdAt: createdTime(),
  },
  indexes: [{ name: 'idempotency_key_age_index', properties: ['createdAt'] }],
});

declare module '../database/tables.ts' {
  interface Tables {
    idempotency_key: Table<typeof IdempotencyKey>;
  }
}
