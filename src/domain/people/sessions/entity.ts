import { defineEntity } from '@mikro-orm/core';
import { createdTime, hash, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A session of a browser. Only the SHA-256 hash of the cookie's value is stored. Signing out deletes the row. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    secretHash: hash().primary(),
    userId: text(),
    /** Set if the user signed in with SSO. */
    samlProviderId: text().nullable(),
    /** Set if the session was started with an access token: it has the rights of the token, and ends with it. */
    apiTokenId: text().nullable(),
    createdAt: createdTime(),
    expiresAt: time(),
    user: reference('User', 'user_id'),
    samlProvider: reference('SamlProvider', 'saml_provider_id').nullable(),
    apiToken: reference('ApiToken', 'api_token_id').nullable(),
  },
  indexes: [
    { name: 'session_expiry_index', properties: ['expiresAt'] },
    { name: 'session_token_index', properties: ['apiTokenId'] },
  ],
});

/** A link that signs a user in once. Only the SHA-256 hash of its secret is stored. Using it deletes the row. */
export const SignInLink = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_link',
  properties: {
    secretHash: hash().primary(),
    userId: text(),
    expiresAt: time(),
    user: reference('User', 'user_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    session: Table<typeof Session>;
    sign_in_link: Table<typeof SignInLink>;
  }
}
