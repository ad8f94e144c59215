import { onlySpacesOf } from '../../../../platform/access/actor.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { types } from '../../../../platform/resource/field-types.ts';
import { resource } from '../../../../platform/resource/resource.ts';
import { locationUrl } from '../../../../platform/resource/urls.ts';
import { loadUser, user } from '../../../people/users/index.ts';
import { gitHost } from '../enums.ts';
import type { GitConnectionRow } from './access.ts';
import type { GitCheck } from './check.ts';
import { unreadableSecretsOf } from './connection-secrets.ts';
import { gitCheckName, gitCheckOutcome, gitConnectionState, gitSecret, gitSide } from './enums.ts';
import { remedyFor } from './states.ts';

const urls = resource<GitConnectionRow>(
  { name: 'GitConnectionUrls', description: 'URLs of a connection to a Git branch.' },
  (f) => ({
    location: f.url('URL of the connection in the REST API.', ({ spaceId }, ctx) =>
      locationUrl(ctx, `/v1/spaces/${spaceId}/git/connection`),
    ),
  }),
);

const hookUrl = ({ id }: Pick<GitConnectionRow, 'id'>, ctx: Context) => locationUrl(ctx, `/v1/hooks/git/${id}`);

const shownState = ({ isPaused, state }: GitConnectionRow) => (isPaused ? 'paused' : state);

/** The connection of a space to a Git branch. Credentials and the secret of the hook are never shown. */
export const gitConnection = resource<GitConnectionRow>(
  {
    name: 'ConnectedGitBranch', // Relay reserves names that end with "Connection".
    object: 'git-connection',
    node: 'gitconnection',
    description:
      'Connection of a space to a branch of a Git repository, synchronized in both directions until it is paused or deleted.',
  },
  (f) => ({
    space: f.id('space')('ID of the space.', ({ spaceId }) => spaceId, { graph: false }),
    state: f.enum(gitConnectionState)('State of the connection.', shownState),
    stateDetail: f.string.optional(
      'Details of the state, such as the reason for a failure. Null if there are none.',
      (row) => row.stateDetail,
    ),
    stateSince: f.time('Time when the connection entered its state.', (row) => row.stateSince),
    remedy: f.string.optional('Next step, as a text for people. Null if none is needed.', (row) =>
      remedyFor({ ...row, state: shownState(row) }),
    ),
    provider: f.enum(gitHost)('Service that hosts the repository.', ({ provider }) => provider),
    url: f.url('URL of the repository, without credentials.', ({ repositoryUrl }) => repositoryUrl),
    sshPublicKey: f.string.optional(
      'Public key of the connection. Add it to the repository as a deploy key with write access. Null unless the repository is reached over SSH.',
      (row) => row.sshPublicKey,
    ),
    sshHostKeys: f
      .list(types.string)
      .optional(
        "Trusted public keys of the repository's host, each as type and Base64. Null before the first connection, and for repositories that are not reached over SSH.",
        (row) => row.sshHostKeys,
      ),
    hasCredentials: f.boolean('Whether a user name or token is stored.', (row) => row.hasCredentials),
    unreadableSecrets: f.list(types.enum(gitSecret))(
      "Stored secrets that cannot be read because the service's secret key was lost. Replace each of them. Empty if all can be read.",
      ({ id }, ctx) => unreadableSecretsOf(ctx, id),
    ),
    ref: f.string('Full name of the branch.', ({ ref }) => ref),
    projectDirectory: f.string(
      'Directory of the documentation in the repository. Empty for the whole repository.',
      (row) => row.projectDirectory,
    ),
    apiUrl: f.url.optional("URL of the provider's API. Null for the default URL.", ({ apiUrl }) => apiUrl),
    commitMessage: f.string('Template of commit messages.', (row) => row.commitMessage),
    initialSide: f.enum(gitSide)('Side that wins in the first synchronization.', (row) => row.initialSide),
    importsPullRequests: f.boolean(
      'Whether pull requests to the branch are imported as revisions.',
      (row) => row.importsPullRequests,
    ),
    hookUrl: f.url('URL for a webhook of the repository, for pushes and pull requests.', hookUrl),
    hookSeenAt: f.time.optional(
      'Time of the last accepted request to the hook. Null if there was none.',
      (row) => row.hookSeenAt,
    ),
    polledAt: f.time.optional(
      'Time when the branch was last checked for commits. Null before the first check.',
      (row) => row.polledAt,
    ),
    proposalRef: f.string.optional(
      'Branch that commits are pushed to while the connected branch is protected. Null unless it is protected.',
      (row) => row.proposalRef,
    ),
    pullRequestUrl: f.url.optional(
      'URL of the pull request from `proposalRef`. Null if there is none, or if it could not be opened.',
      (row) => row.pullRequestUrl,
    ),
    keptRevision: f
      .id('rev')
      .optional(
        'ID of the latest revision of the space when the branch won. Null if the branch did not win.',
        (row) => row.keptRevisionId,
        { graph: false },
      ),
    keptCommit: f.string.optional(
      "Hash (object ID) of the branch's latest commit when the space won. Null if the space did not win.",
      (row) => row.keptCommitOid,
    ),
    actsAs: f.reference(
      () => user,
      'User whose permissions the runs of the connection have. Null for applications that are limited to spaces.',
      {
        prefix: 'user',
        id: ({ userId }, { actor }) => (onlySpacesOf(actor) === undefined ? userId : null),
        load: ({ userId }, ctx) => (onlySpacesOf(ctx.actor) === undefined ? loadUser(ctx, userId) : null),
      },
    ),
    createdAt: f.time('Time when the connection was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the connection was last changed or synchronized.', ({ updatedAt }) => updatedAt),
    urls: f.object(() => urls)('URLs of the connection.', (row) => row, { graph: false }),
  }),
);

/** A check of a connection. */
export const gitCheck = resource<GitCheck>(
  { name: 'GitCheck', description: 'A check of the connection of a space to a Git branch.' },
  (f) => ({
    name: f.enum(gitCheckName)('Subject of the check.', ({ name }) => name),
    outcome: f.enum(gitCheckOutcome)('Outcome of the check.', ({ outcome }) => outcome),
    message: f.string('Result of the check, with a remedy if one is needed.', ({ message }) => message),
  }),
);

/** All checks of a connection. */
export const gitChecks = resource<{ checks: GitCheck[] }>(
  {
    name: 'GitConnectionChecks',
    object: 'git-connection-checks',
    description: 'The checks of a connection to a Git branch.',
  },
  (f) => ({
    checks: f.list(types.object(() => gitCheck))('The checks, in their order.', ({ checks }) => checks),
  }),
);
