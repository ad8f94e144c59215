import { defineEntity, p } from '@mikro-orm/core';
import type { Scope } from '../../../platform/access/scopes.ts';
import {
  changes,
  createdTime,
  flag,
  hash,
  raisesVersion,
  reference,
  text,
  time,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A user of the service. Memberships connect users to organizations. */
export const User = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: text().primary(),
    /**
     * The address that the user has proved, or that an operator has confirmed. The only one that identifies the user.
     */
    email: text().nullable(),
    /**
     * Address that the user has claimed but not proved. It does not identify the user, and several users can have the
     * same.
     */
    unverifiedEmail: text().nullable(),
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

/**
 * The verification of a claimed address that is under way. The row stays after it, since it counts the emails of the
 * user. Only the SHA-256 hash of the secret in the link is stored.
 */
export const EmailVerification = defineEntity({
  name: 'EmailVerification',
  tableName: 'email_verification',
  properties: {
    userId: text().primary(),
    /** The address that the secret was sent to. */
    email: text(),
    /** Null until the email is sent, and after it was used. */
    secretHash: hash().nullable(),
    requestedAt: time(),
    expiresAt: time(),
    /** Emails since this time are counted. */
    windowStart: time(),
    requests: p.integer().default(1),
    user: reference('User', 'user_id'),
  },
  uniques: [{ name: 'email_verification_secret_unique', properties: ['secretHash'] }],
  indexes: [{ name: 'email_verification_expiry_index', properties: ['expiresAt'] }],
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
    /** The identity provider of the session that created the token. */
    samlProviderId: text().nullable(),
    /** Null if the token is not restricted. */
    scopes: p.array().columnType('text[]').$type<Scope[]>().nullable(),
    expiresAt: time().nullable(),
    lastUsedAt: time().nullable(),
    createdAt: createdTime(),
    user: reference('User', 'user_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
  },
  uniques: [{ name: 'api_token_secret_hash_unique', properties: ['secretHash'] }],
  indexes: [{ name: 'api_token_user_index', properties: ['userId', 'createdAt', 'id'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    user: Table<typeof User>;
    email_verification: Table<typeof EmailVerification>;
    api_token: Table<typeof ApiToken>;
  }
}
