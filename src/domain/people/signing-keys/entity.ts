import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, json, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { PublicKey } from './public-key.ts';

/** A key that signs tokens of an organization (RFC 7517). The newest signs; all are published. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  properties: {
    organizationId: text().primary(),
    /** The thumbprint of the public key (RFC 7638), the header `kid` of tokens. */
    id: text().primary(),
    publicKey: json<PublicKey>(),
    /** The private key as JSON, encrypted. */
    privateKey: p.blob().$type<Buffer>(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    signing_key: Table<typeof SigningKey>;
  }
}
