import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, flag, hash, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * A passkey: a credential that an authenticator of a person has made for this service (WebAuthn). Removing deletes the
 * row.
 */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: {
    id: text().primary(),
    userId: text(),
    label: text(),
    /** What the authenticator names it by. */
    credentialId: p.blob().$type<Buffer>(),
    /** A COSE key. It verifies signatures, and is no secret. */
    publicKey: p.blob().$type<Buffer>(),
    /** The signature counter: a lower one is of a copied authenticator. 0 if the authenticator does not count. */
    counter: p.bigint('number'),
    /** How browsers reach the authenticator, such as `usb nfc`. */
    transports: text(),
    /** Whether the authenticator keeps copies on other devices of the person. */
    isSynced: flag(false),
    lastUsedAt: time().nullable(),
    createdAt: createdTime(),
    user: reference('User', 'user_id'),
  },
  uniques: [{ name: 'passkey_credential_unique', properties: ['credentialId'] }],
  indexes: [{ name: 'passkey_user_index', properties: ['userId', 'createdAt', 'id'] }],
});

/** A challenge that a browser has asked for, to be signed once. */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenge',
  properties: {
    challengeHash: hash().primary(),
    /** SHA-256 of the cookie of the browser. */
    browserHash: hash(),
    /** Who registers a passkey. Null for a sign-in. */
    userId: text().nullable(),
    expiresAt: time(),
    user: reference('User', 'user_id').nullable(),
  },
  indexes: [{ name: 'passkey_challenge_expiry_index', properties: ['expiresAt'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    passkey: Table<typeof Passkey>;
    passkey_challenge: Table<typeof PasskeyChallenge>;
  }
}
