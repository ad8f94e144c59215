import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import type { EntityRow } from '../../../../platform/database/entity-from-row.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { watchSettings } from '../../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { type BranchDirectory, directoryOf, isSameBranch, isSsh, readRepositoryUrl } from '../repository-url.ts';
import { gitConnectionFor, gitConnectionForChange } from './access.ts';
import { rejectOtherApi } from './api-url.ts';
import { connectionCredentials } from './connection-secrets.ts';
import type { GitConnection } from './entity.ts';
import type { GitSide } from './enums.ts';
import { requestSync } from './request-sync.ts';
import { connectionSettings, hostKeysFrom } from './settings.ts';
import { newKeyColumns } from './ssh-access.ts';

const needed = permissions.updateGitConnection.space;

export const updateGitConnection = command({
  name: 'updateGitConnection',
  scope: 'admin',
  description:
    "Updates, pauses or resumes the connection of a space to a Git branch. Omitted fields keep their values. After a change of the repository, start the connection again with `startGitConnection`. After a change of the branch, synchronization continues there: a branch that contains the commit synchronized last, such as a renamed one, is merged; otherwise, and after a change of the directory, the space gets the content found there. If another branch has none of the space's pages, choose a side with `startGitConnection`. Later runs have your permissions.",
  input: z.object({
    spaceId: idOf('space'),
    url: connectionSettings.url
      .optional()
      .describe(
        'URL of the repository. Its user name and token replace the stored ones. Without them, the stored ones are kept if the repository is the same, and removed otherwise. For another repository over SSH, the connection gets a new key pair.',
      ),
    ref: connectionSettings.ref.optional(),
    repoProjectDirectory: connectionSettings.repoProjectDirectory.optional(),
    sshHostKeys: connectionSettings.sshHostKeys,
    provider: connectionSettings.provider.optional(),
    apiUrl: connectionSettings.apiUrl.describe(
      "URL of the provider's API. Null for the default URL. The token is sent there too. For an API with another scheme, host or port than the repository: when the API changes, send the token again in `url`; when the token changes, send this URL again. BAD_USER_INPUT otherwise.",
    ),
    repoTreeURL: connectionSettings.repoTreeURL,
    repoCommitURL: connectionSettings.repoCommitURL,
    commitMessage: connectionSettings.commitMessage.optional(),
    initialSide: connectionSettings.initialSide
      .optional()
      .describe(
        'Side that wins in the first synchronization with the branch and directory. Default after a change of one that was synchronized: `branch`.',
      ),
    importsPullRequests: connectionSettings.importsPullRequests.optional(),
    isPaused: z.boolean().optional().describe('Set to true to pause the connection, or to false to resume it.'),
  }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, url, sshHostKeys, repoProjectDirectory, repoTreeURL, repoCommitURL, ...settings }) {
    const connection = await gitConnectionForChange(ctx, spaceId, needed);
    const repository = repositoryOf(ctx, connection, url);
    const repositoryUrl = repository?.repositoryUrl ?? connection.repositoryUrl;
    const projectDirectory = directoryOf(repoProjectDirectory ?? connection.projectDirectory);
    const next = { repositoryUrl, ref: settings.ref ?? connection.ref, projectDirectory: projectDirectory ?? '' };
    const initialSide = settings.initialSide ?? (await sideAfter(ctx, connection, next));
    rejectOtherApi({
      before: connection,
      after: {
        provider: settings.provider ?? connection.provider,
        repositoryUrl,
        apiUrl: settings.apiUrl === undefined ? connection.apiUrl : settings.apiUrl,
      },
      keepsToken: connection.credentials !== null && repository === undefined,
      hasNewToken: repository?.credentials != null,
      namesApi: settings.apiUrl !== undefined,
    });
    const changed = watchSettings(connection, SETTINGS);
    ctx.em.assign(connection, {
      ...settings,
      initialSide,
      ...(repositoryUrl !== connection.repositoryUrl && notStarted(ctx)),
      ...repository,
      sshHostKeys: hostKeysOf(connection, repositoryUrl, sshHostKeys),
      projectDirectory,
      treeUrl: repoTreeURL,
      commitUrl: repoCommitURL,
      userId: requireUserId(ctx.actor),
      samlProviderId: ssoOf(ctx.actor)?.providerId ?? null,
      updatedAt: nowOf(ctx),
    });
    await ctx.em.flush();
    const { organizationId, id: gitConnectionId } = connection;
    const ids = { gitConnectionId };
    await recordEvent(ctx, { kind: 'git_connection_updated', organizationId, spaceId, ids, changes: changed() });
    await requestSync(ctx, [gitConnectionId]);
    return { connection: await gitConnectionFor(ctx, spaceId, needed) };
  },
});

/** Settings whose changes events record. */
const SETTINGS = [
  ...(['provider', 'repositoryUrl', 'ref', 'projectDirectory', 'apiUrl', 'initialSide'] as const),
  ...(['importsPullRequests', 'isPaused', 'userId'] as const),
];

/** The state of a connection to another repository. */
const notStarted = (ctx: Context) => ({
  state: 'pending' as const,
  stateDetail: null,
  stateSince: nowOf(ctx),
  syncedRevisionId: null,
  proposalRef: null,
  pullRequestUrl: null,
});

/**
 * The side that wins after a change of the branch. A side that was chosen for the branch that was synchronized last
 * says nothing about another one, whose content the space gets.
 */
async function sideAfter(
  { db }: Context,
  connection: EntityRow<typeof GitConnection>,
  next: BranchDirectory,
): Promise<GitSide> {
  const { spaceId, state, repositoryUrl, initialSide } = connection;
  if (state === 'pending' || repositoryUrl !== next.repositoryUrl || isSameBranch(connection, next)) return initialSide;
  const synced = await db
    .selectFrom('git_sync')
    .where('spaceId', '=', spaceId)
    .where('commitOid', 'is not', null)
    .select(['repositoryUrl', 'ref', 'projectDirectory'])
    .executeTakeFirst();
  return synced && isSameBranch(synced, connection) ? 'branch' : initialSide;
}

/** The repository of a new URL. Stored credentials are only sent to the repository that they were given for. */
function repositoryOf(ctx: Context, connection: EntityRow<typeof GitConnection>, text: string | undefined) {
  if (text === undefined) return undefined;
  const hasGit = ctx.services.config.gitProgram !== undefined;
  const { url: repositoryUrl, credentials } = readRepositoryUrl(text, { hasGit });
  if (credentials === undefined) {
    if (repositoryUrl === connection.repositoryUrl) return undefined;
    const keys = isSsh(repositoryUrl) ? newKeyColumns(ctx, connection.id) : { sshPrivateKey: null, sshPublicKey: null };
    return { repositoryUrl, credentials: null, ...keys };
  }
  const encrypted = connectionCredentials.encrypt(ctx.services, connection, credentials);
  return { repositoryUrl, credentials: encrypted, sshPrivateKey: null, sshPublicKey: null };
}

/** The keys of the host that are trusted. Those of another repository are not. */
function hostKeysOf(connection: EntityRow<typeof GitConnection>, url: string, lines: string[] | null | undefined) {
  if (lines === undefined && url === connection.repositoryUrl) return undefined;
  return hostKeysFrom(url, lines);
}
