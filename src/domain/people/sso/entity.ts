import { defineEntity, p } from '@mikro-orm/core';
import { roleColumn } from '../../../platform/access/role-column.ts';
import {
  changes,
  createdTime,
  hash,
  json,
  raisesVersion,
  reference,
  text,
  time,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * Kind of subject: the name that the provider gives the person (the NameID of SAML, `sub` of OpenID Connect), or the
 * email address if the NameID changes with each sign-in (transient).
 */
const SUBJECT_KINDS = ['name-id', 'email'] as const;

/** Protocol of an identity provider. Its id begins with it. */
export type Protocol = 'saml' | 'oidc';

/** Data about a person in an accepted response. Issuer, kind and subject identify the person. */
export interface SsoSubject {
  issuer: string;
  kind: (typeof SUBJECT_KINDS)[number];
  subject: string;
  email: string;
  displayName?: string | undefined;
  /** Teams of the groups that the provider has named, if it maps groups to teams. */
  teamIds?: readonly string[] | undefined;
}

/** A session of a person at an OpenID provider, which can tell that it has ended. */
export interface ProviderSession {
  issuer: string;
  subject: string;
  /** The claim `sid`. */
  sid: string | null;
}

/** A group of an OpenID provider, and the team that its members belong to. */
export interface GroupTeam {
  group: string;
  teamId: string;
}

/**
 * An identity provider of an organization that members sign in with. The table, and columns that refer to it, have the
 * name of the protocol that came first (SAML 2.0); providers of OpenID Connect are rows of it too.
 */
export const IdentityProvider = defineEntity({
  name: 'IdentityProvider',
  tableName: 'saml_provider',
  properties: {
    id: text().primary(),
    organizationId: text(),
    protocol: text().$type<Protocol>().default('saml'),
    label: text(),
    /** Of SAML. The provider is active once these three are set. */
    ssoUrl: text().nullable(),
    entityId: text().nullable(),
    /** One or several PEM certificates. */
    certificate: text().nullable(),
    /** Of OpenID Connect. The provider is active once these three are set. */
    issuer: text().nullable(),
    clientId: text().nullable(),
    /** Encrypted. */
    clientSecret: p.blob().$type<Buffer>().nullable(),
    /** Claim with the names of groups. */
    groupsClaim: text().nullable(),
    groupTeams: json<GroupTeam[]>().nullable(),
    defaultTeamId: text().nullable(),
    /** Null for guests. */
    defaultRole: roleColumn().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    defaultTeam: reference('Team', 'default_team_id').nullable(),
  },
  indexes: [{ name: 'saml_provider_organization_index', properties: ['organizationId', 'createdAt', 'id'] }],
  triggers: [raisesVersion()],
});

/** A sign-in that a browser has started: a request to an identity provider that one response can answer. */
export const SsoRequest = defineEntity({
  name: 'SsoRequest',
  tableName: 'saml_request',
  properties: {
    /** The ID of the AuthnRequest, or the `state` of OpenID Connect. */
    id: text().primary(),
    organizationId: text(),
    samlProviderId: text(),
    /** SHA-256 of the cookie of the browser that started the sign-in. */
    browserHash: hash(),
    /** Path to open after the sign-in. */
    returnTo: text(),
    /**
     * Set once a response was accepted: the user, and the SHA-256 of the code that the browser exchanges for a session.
     */
    userId: text().nullable(),
    codeHash: hash().nullable(),
    /** Of an accepted response whose account is not decided yet: an existing one must be proved. */
    subject: json<SsoSubject>().nullable(),
    /** The session at the OpenID provider, of an accepted response. */
    providerSession: json<ProviderSession>().nullable(),
    /** SHA-256 of the secret in an email to the owner of that account. */
    mailHash: hash().nullable(),
    mailedAt: time().nullable(),
    createdAt: createdTime(),
    expiresAt: time(),
    organization: reference('Organization', 'organization_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id'),
    user: reference('User', 'user_id').nullable(),
  },
  indexes: [
    { name: 'saml_request_code_index', properties: ['codeHash'] },
    { name: 'saml_request_expiry_index', properties: ['expiresAt'] },
  ],
});

/** A person of an identity provider, who has signed in before. The issuer and the subject name the person. */
export const SsoIdentity = defineEntity({
  name: 'SsoIdentity',
  tableName: 'sso_identity',
  properties: {
    samlProviderId: text().primary(),
    issuer: text().primary(),
    kind: p.enum(SUBJECT_KINDS).primary(),
    subject: text().primary(),
    organizationId: text(),
    userId: text(),
    createdAt: createdTime(),
    lastUsedAt: time(),
    samlProvider: reference('IdentityProvider', 'saml_provider_id'),
    organization: reference('Organization', 'organization_id'),
    user: reference('User', 'user_id'),
  },
  indexes: [{ name: 'sso_identity_user_index', properties: ['organizationId', 'userId'] }],
});

/** A sign-in with the provider of the whole service that a browser has started. One response can answer it. */
export const OidcRequest = defineEntity({
  name: 'OidcRequest',
  tableName: 'oidc_request',
  properties: {
    /** The `state`. */
    id: text().primary(),
    /** SHA-256 of the cookie of the browser that started the sign-in. */
    browserHash: hash(),
    /** Path to open after the sign-in. */
    returnTo: text(),
    expiresAt: time(),
  },
  indexes: [{ name: 'oidc_request_expiry_index', properties: ['expiresAt'] }],
});

/** A person of the provider of the whole service, who has signed in before. */
export const OidcIdentity = defineEntity({
  name: 'OidcIdentity',
  tableName: 'oidc_identity',
  properties: {
    issuer: text().primary(),
    subject: text().primary(),
    userId: text(),
    createdAt: createdTime(),
    lastUsedAt: time(),
    user: reference('User', 'user_id'),
  },
  indexes: [{ name: 'oidc_identity_user_index', properties: ['userId'] }],
});

/** A logout token that an OpenID provider has sent, so that it is accepted once, and what it has ended. */
export const OidcLogoutToken = defineEntity({
  name: 'OidcLogoutToken',
  tableName: 'oidc_logout_token',
  properties: {
    /** The provider, or `instance` for that of the whole service. */
    providerId: text().primary(),
    /** SHA-256 of the claim `jti`, or of sessions that have ended, which cannot sign in users (`recordEndedSessions`). */
    jtiHash: hash().primary(),
    expiresAt: time(),
  },
  indexes: [{ name: 'oidc_logout_token_expiry_index', properties: ['expiresAt'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    saml_provider: Table<typeof IdentityProvider>;
    saml_request: Table<typeof SsoRequest>;
    sso_identity: Table<typeof SsoIdentity>;
    oidc_request: Table<typeof OidcRequest>;
    oidc_identity: Table<typeof OidcIdentity>;
    oidc_logout_token: Table<typeof OidcLogoutToken>;
  }
}
