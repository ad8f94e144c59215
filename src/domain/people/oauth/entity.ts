import { defineEntity, p } from '@mikro-orm/core';
import type { Scope } from '../../../platform/access/scopes.ts';
import { createdTime, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** What a user lets an application do. Revoking deletes the row, which ends all tokens of the grant. */
export const OAuthGrant = defineEntity({
  name: 'OAuthGrant',
  tableName: 'oauth_grant',
  properties: {
    id: text().primary(),
    userId: text(),
    clientId: text(),
    /** The name that the client gave to itself. */
    clientName: text(),
    /**
     * Host that the browser was sent to with the code, or the scheme of an installed application. Null for a device.
     */
    redirectTo: text().nullable(),
    scopes: p.array().columnType('text[]').$type<Scope[]>(),
    /** The only organizations in which the application can act. Null for all of the user's, also later ones. */
    organizationIds: p.array().columnType('text[]').$type<string[]>().nullable(),
    /** The only spaces in which it can act, of exactly these organizations. Null for all that the user has there. */
    spaceIds: p.array().columnType('text[]').$type<string[]>().nullable(),
    /** The identity provider of the session in which the application was connected. The grant ends with it. */
    samlProviderId: text().nullable(),
    /** The resources of this service that were requested (RFC 8707). */
    resources: p.array().columnType('text[]').$type<string[]>(),
    createdAt: createdTime(),
    lastUsedAt: time().nullable(),
    expiresAt: time(),
    user: reference('User', 'user_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
  },
  indexes: [
    { name: 'oauth_grant_user_index', properties: ['userId'] },
    { name: 'oauth_grant_expiry_index', properties: ['expiresAt'] },
  ],
});

/** A record of the authorization server: a client, a request that waits for consent, a code, or a token. */
export const OAuthRecord = defineEntity({
  name: 'OAuthRecord',
  tableName: 'oauth_record',
  properties: {
    /**
     * The name that the library has for it: `Client`, `Interaction`, `AuthorizationCode`, `DeviceCode`, `AccessToken`,
     * `RefreshToken`. Beside these `UserCode`: the code that a device shows while it waits, with the id of its device
     * code.
     */
    type: text().primary(),
    /** SHA-256 of the id, in hexadecimal digits. The id of a token is its value. */
    idHash: text().primary(),
    grantId: text().nullable(),
    /** The record as JSON, encrypted. */
    payload: p.blob().$type<Buffer>(),
    /** Of access tokens. */
    scopes: p.array().columnType('text[]').$type<Scope[]>().nullable(),
    /** The resource that an access token is bound to. */
    audience: text().nullable(),
    createdAt: createdTime(),
    /** When a code or refresh token was used, which works once. */
    consumedAt: time().nullable(),
    /** When a device last asked for tokens by its code. */
    polledAt: time().nullable(),
    expiresAt: time(),
    grant: reference('OAuthGrant', 'grant_id').nullable(),
  },
  indexes: [
    { name: 'oauth_record_grant_index', properties: ['grantId'] },
    { name: 'oauth_record_expiry_index', properties: ['expiresAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    oauth_grant: Table<typeof OAuthGrant>;
    oauth_record: Table<typeof OAuthRecord>;
  }
}
