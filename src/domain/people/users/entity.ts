import { defineEntity } from '@mikro-orm/core';
import { changes, createdTime, flag, hash, raisesVersion, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A user of the service. Memberships connect users to organizations. */
export const User = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: text().primary(),
    email: text(),
    isEmailVerified: flag(false),
    displayName: text(),
    photoUrl: text().nullable(),
    /** Operators can create users and see the state of the service. */
    isOperator: flag(false),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
  },
  triggers: [raisesVersion()],
  uniques: [
    { name: 'user_email_unique', expression: 'create unique index "user_email_unique" on "user" (lower("email"))' },
  ],
});

/** A personal access token. Only the SHA-256 hash of the secret is stored. Revoking deletes the row. */
export const ApiToken = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  properties: {
    id: text().primary(),
    userId: text(),
    label: text(),
    secretHash: hash(),
    /** The SAML provider of the session that created the token. */
    samlProviderId: text().nullable(),
    expiresAt: time().nullable(),
    lastUsedAt: time().nullable(),
    createdAt: createdTime(),
  },
  uniques: [{ name: 'api_token_secret_hash_unique', properties: ['secretHash'] }],
  indexes: [{ name: 'api_token_user_index', properties: ['userId', 'createdAt', 'id'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    user: Table<typeof User>;
    api_token: Table<typeof ApiToken>;
  }
}
