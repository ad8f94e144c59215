import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, text } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';

/**
 * Which secret key the secrets of this database are encrypted with, as a fingerprint. One row, from the first start.
 * See `fingerprint.ts`.
 */
export const SecretKey = defineEntity({
  name: 'SecretKey',
  tableName: 'secret_key',
  properties: {
    /** Always `service`. */
    id: text().primary(),
    /** Names this database in the directory of its files (`claim-files.ts`). */
    installation: p.uuid(),
    /** Where the key was when it was recorded, for messages. */
    keptIn: text(),
    salt: p.blob().$type<Buffer>(),
    fingerprint: p.blob().$type<Buffer>(),
    /** Of the key that is being replaced. Null after `npm run rotate-key` has ended. */
    previousFingerprint: p.blob().$type<Buffer>().nullable(),
    recordedAt: createdTime(),
  },
});

declare module '../database/tables.ts' {
  interface Tables {
    secret_key: Table<typeof SecretKey>;
  }
}
