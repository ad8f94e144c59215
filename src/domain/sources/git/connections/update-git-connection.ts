import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../../platform/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { directoryOf, isSsh, readRepositoryUrl } from '../repository-url.ts';
import { type GitConnectionRow, gitConnectionFor } from './access.ts';
import { rejectOtherApi } from './api-url.ts';
import { connectionCredentials } from './connection-secrets.ts';
import { requestSync } from './request-sync.ts';
import { connectionSettings, hostKeyColumn } from './settings.ts';
import { newKeyColumns } from './ssh-access.ts';

const needed = permissions.updateGitConnection.space;

export const updateGitConnection = command({
  name: 'updateGitConnection',
  description:
    'Updates, pauses or resumes the connection of a space to a Git branch. Omitted fields keep their values. After a change of the repository, start the connection again with `startGitConnection`. After a change of the branch or directory, synchronization continues there. Later runs have your permissions.',
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
    initialSide: connectionSettings.initialSide.optional(),
    importsPullRequests: connectionSettings.importsPullRequests.optional(),
    isPaused: z.boolean().optional().describe('Set to true to pause the connection, or to false to resume it.'),
  }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, ...given }): Promise<{ connection: GitConnectionRow }> {
    const row = await gitConnectionFor(ctx, spaceId, needed, { lock: 'for no key update' });
    const repository = repositoryOf(ctx, row, given.url);
    const isOther = repository !== undefined && repository.repositoryUrl !== row.repositoryUrl;
    rejectOtherApi({
      before: row,
      after: {
        provider: given.provider ?? row.provider,
        repositoryUrl: repository?.repositoryUrl ?? row.repositoryUrl,
        apiUrl: given.apiUrl === undefined ? row.apiUrl : given.apiUrl,
      },
      keepsToken: row.hasCredentials && repository === undefined,
      hasNewToken: repository?.credentials != null,
      namesApi: given.apiUrl !== undefined,
    });
    await ctx.db
      .updateTable('git_connection')
      .set({
        ...repository,
        ...hostKeysOf(row, repository?.repositoryUrl ?? row.repositoryUrl, given.sshHostKeys),
        ref: given.ref,
        projectDirectory:
          given.repoProjectDirectory === undefined ? undefined : directoryOf(given.repoProjectDirectory),
        provider: given.provider,
        apiUrl: given.apiUrl,
        treeUrl: given.repoTreeURL,
        commitUrl: given.repoCommitURL,
        commitMessage: given.commitMessage,
        initialSide: given.initialSide,
        importsPullRequests: given.importsPullRequests,
        isPaused: given.isPaused,
        ...(isOther && {
          state: 'pending',
          stateDetail: null,
          stateSince: nowOf(ctx),
          syncedRevisionId: null,
          proposalRef: null,
        }),
        ...(isOther && { pullRequestUrl: null }),
        userId: requireUserId(ctx.actor),
        samlProviderId: ssoOf(ctx.actor)?.samlProviderId ?? null,
        updatedAt: nowOf(ctx),
      })
      .where('id', '=', row.id)
      .execute();
    const { organizationId, id: gitConnectionId } = row;
    await recordEvent(ctx, { kind: 'git_connection_updated', organizationId, spaceId, ids: { gitConnectionId } });
    await requestSync(ctx, [gitConnectionId]);
    return { connection: await gitConnectionFor(ctx, spaceId, needed) };
  },
});

/** The repository of a new URL. Stored credentials are never sent to another repository than that they were given for. */
function repositoryOf(ctx: Context, row: GitConnectionRow, text: string | undefined) {
  if (text === undefined) return undefined;
  const hasGit = ctx.services.config.gitProgram !== undefined;
  const { url: repositoryUrl, credentials } = readRepositoryUrl(text, { hasGit });
  if (credentials === undefined) {
    if (repositoryUrl === row.repositoryUrl) return undefined;
    const keys = isSsh(repositoryUrl) ? newKeyColumns(ctx, row.id) : { sshPrivateKey: null, sshPublicKey: null };
    return { repositoryUrl, credentials: null, ...keys };
  }
  const encrypted = connectionCredentials.encrypt(ctx.services, row, credentials);
  return { repositoryUrl, credentials: encrypted, sshPrivateKey: null, sshPublicKey: null };
}

/** The keys of the host that are trusted. Those of another repository are not. */
function hostKeysOf(row: GitConnectionRow, url: string, given: string[] | null | undefined) {
  if (given === undefined && url === row.repositoryUrl) return undefined;
  return hostKeyColumn(url, given);
}
