import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, flag, hash, json, reference, text, time } from '../../../../platform/database/columns.ts';
import type { Table } from '../../../../platform/database/tables.ts';
import type { GitConnectionState, GitSide } from './enums.ts';

/** The branch that a space is kept in sync with, in both directions. */
export const GitConnection = defineEntity({
  name: 'GitConnection',
  tableName: 'git_connection',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    provider: text().$type<'github' | 'gitlab'>(),
    /** URL of the repository without credentials. */
    repositoryUrl: text(),
    /** `user:token`, encrypted. */
    credentials: hash().nullable(),
    hasCredentials: p
      .boolean()
      .formula((columns: Record<string, string>) => `(${columns.credentials} is not null)`)
      .lazy()
      .persist(false),
    /** Key pair for SSH: the private key encrypted, the public key as OpenSSH has it in one line. Null over HTTP. */
    sshPrivateKey: p.blob().$type<Buffer>().nullable(),
    sshPublicKey: text().nullable(),
    /** Public keys that the host may have, as type and Base64. Null until the first contact. */
    sshHostKeys: json<string[]>().nullable(),
    ref: text(),
    projectDirectory: text(),
    treeUrl: text().nullable(),
    commitUrl: text().nullable(),
    /** URL of the API of the provider, for pull requests and commit statuses. Null for the usual one. */
    apiUrl: text().nullable(),
    /** Template of commit messages. */
    commitMessage: text(),
    /** Which side wins in the first synchronization. */
    initialSide: text().$type<GitSide>(),
    importsPullRequests: flag(true),
    /** Encrypted instead of hashed, because every signature needs it. */
    hookSecret: p.blob().$type<Buffer>(),
    state: text().$type<GitConnectionState>().default('pending'),
    /** Details of the state, such as the reason for a failure. */
    stateDetail: text().nullable(),
    stateSince: createdTime(),
    isPaused: flag(false),
    /** Head of the space that the branch has. Null if it has no such revision. */
    syncedRevisionId: text().nullable(),
    /** The branch that commits go to instead, and the pull request from it, while the connected branch is protected. */
    proposalRef: text().nullable(),
    pullRequestUrl: text().nullable(),
    /** Former content of the losing side of the first synchronization. */
    keptRevisionId: text().nullable(),
    keptCommitOid: text().nullable(),
    failureStreak: p.integer().default(0),
    /** Set while a synchronization is requested that has not begun. */
    wantedAt: time().nullable(),
    polledAt: time().nullable(),
    /** Time of the last accepted request to the hook. */
    hookSeenAt: time().nullable(),
    /** Whose permissions its runs have: who created, changed or started it last. */
    userId: text(),
    /** The identity provider that this user signed in with. */
    samlProviderId: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    syncedRevision: reference('Revision', 'synced_revision_id').nullable(),
    keptRevision: reference('Revision', 'kept_revision_id').nullable(),
    user: reference('User', 'user_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
  },
  uniques: [{ name: 'git_connection_space_unique', properties: ['spaceId'] }],
  indexes: [
    { name: 'git_connection_organization_index', properties: ['organizationId', 'id'] },
    { name: 'git_connection_poll_index', properties: ['polledAt', 'id'] },
  ],
});

declare module '../../../../platform/database/tables.ts' {
  interface Tables {
    git_connection: Table<typeof GitConnection>;
  }
}
