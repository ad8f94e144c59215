import { defineEntity } from '@mikro-orm/core';
import { createdTime, hash, json, text } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';

/** A command that was run with an idempotency key. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    actorId: text().primary(),
    operation: text().primary(),
    key: text().primary(),
    /** Hash of the validated input. */
    inputHash: hash(),
    /** The output with ids instead of resources. Null only inside the transaction. */
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
