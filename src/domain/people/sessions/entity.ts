import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A session of a browser. Only the SHA-256 hash of the cookie's value is stored. Signing out deletes the row. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    secretHash: hash().primary(),
    /** Public id. Null in sessions of a version without ids, until they are used. */
    id: text().nullable(),
    userId: text(),
    /** The `User-Agent` of the browser that signed in. */
    userAgent: text().nullable(),
    lastUsedAt: time().nullable(),
    /** Set if the user signed in with SSO. */
    samlProviderId: text().nullable(),
    /** The session at an OpenID provider (issuer, `sub` and `sid`), which ends this one when it ends. */
    providerIssuer: text().nullable(),
    providerSubject: text().nullable(),
    providerSid: text().nullable(),
    /** Set if the session was started with an access token: it has the rights of the token, and ends with it. */
    apiTokenId: text().nullable(),
    createdAt: createdTime(),
    expiresAt: time(),
    user: reference('User', 'user_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
    apiToken: reference('ApiToken', 'api_token_id').nullable(),
  },
  uniques: [{ name: 'session_id_unique', properties: ['id'] }],
  indexes: [
    { name: 'session_expiry_index', properties: ['expiresAt'] },
    { name: 'session_user_index', properties: ['userId', 'createdAt', 'id'] },
    { name: 'session_token_index', properties: ['apiTokenId'] },
    { name: 'session_provider_subject_index', properties: ['providerSubject'] },
    { name: 'session_provider_sid_index', properties: ['providerSid'] },
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

/**
 * A sign-in by email that a browser has asked for. It is stored for every address alike, whether or not an account has
 * it. Rows stay for a day, since they count requests and emails.
 */
export const SignInRequest = defineEntity({
  name: 'SignInRequest',
  tableName: 'sign_in_request',
  properties: {
    id: text().primary(),
    /** In lowercase, as it was asked for. */
    email: text(),
    /**
     * The network of the browser, as requests are counted. `sso proof` for counted emails of SSO, which are no requests
     * (`countProofEmail`).
     */
    network: text(),
    /** SHA-256 of the cookie of the browser. */
    browserHash: hash(),
    /** Path to open after the sign-in. */
    returnTo: text(),
    /** Set with the email: the account that has verified the address. Null without one. */
    userId: text().nullable(),
    /** Signed with the secret key: the hash of six digits could be guessed. Null until the email is sent. */
    codeSignature: text().nullable(),
    /** SHA-256 of the secret in the link. */
    linkHash: hash().nullable(),
    /** Wrong codes, and wrong links, so far. */
    codeTries: p.integer().default(0),
    linkTries: p.integer().default(0),
    sentAt: time().nullable(),
    usedAt: time().nullable(),
    createdAt: createdTime(),
    expiresAt: time(),
    user: reference('User', 'user_id').nullable(),
  },
  indexes: [
    { name: 'sign_in_request_browser_index', properties: ['browserHash', 'createdAt'] },
    { name: 'sign_in_request_network_index', properties: ['network', 'createdAt'] },
    { name: 'sign_in_request_user_index', properties: ['userId', 'sentAt'] },
    { name: 'sign_in_request_age_index', properties: ['createdAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    session: Table<typeof Session>;
    sign_in_link: Table<typeof SignInLink>;
    sign_in_request: Table<typeof SignInRequest>;
  }
}
