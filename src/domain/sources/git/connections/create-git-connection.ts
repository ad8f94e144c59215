import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../../platform/access/actor.ts';
import { nowOf } from '../../../../platform/context/context.ts';
import { jsonColumn } from '../../../../platform/database/json-column.ts';
import { conflict } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { settingsSet } from '../../../../platform/events/settings-changes.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { directoryOf, isSsh, readRepositoryUrl } from '../repository-url.ts';
import { connectionOf, type GitConnectionRow, gitConnectionFor } from './access.ts';
import { connectionCredentials, hookSecret } from './connection-secrets.ts';
import { newHookSecret } from './hook-signature.ts';
import { connectionSettings, DEFAULT_MESSAGE, hostKeysFrom, providerAt } from './settings.ts';
import { newKeyColumns } from './ssh-access.ts';

const needed = permissions.createGitConnection.space;

export const createGitConnection = command({
  name: 'createGitConnection',
  scope: 'admin',
  description:
    'Connects a space to a branch of a Git repository. Synchronization begins with `startGitConnection`: from then on, commits of the branch are merged into the space, and changes of the space are pushed as commits. A space has at most one connection. The secret of ' +
    'the hook is returned only once.',
  input: z.object({
    spaceId: idOf('space'),
    url: connectionSettings.url,
    ref: connectionSettings.ref,
    repoProjectDirectory: connectionSettings.repoProjectDirectory.nullish(),
    provider: connectionSettings.provider.nullish(),
    sshHostKeys: connectionSettings.sshHostKeys,
    apiUrl: connectionSettings.apiUrl,
    repoTreeURL: connectionSettings.repoTreeURL,
    repoCommitURL: connectionSettings.repoCommitURL,
    commitMessage: connectionSettings.commitMessage.nullish(),
    initialSide: connectionSettings.initialSide.nullish(),
    importsPullRequests: connectionSettings.importsPullRequests.nullish(),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, ...input }): Promise<{ connection: GitConnectionRow; hookSecret: string | null }> {
    const { organizationId } = await spaceFor(ctx, spaceId, needed, { lock: 'for no key update' });
    const { url, credentials } = readRepositoryUrl(input.url, { hasGit: ctx.services.config.gitProgram !== undefined });
    if (await connectionOf(ctx, spaceId)) {
      throw conflict('The space is already connected to a Git branch. Update or delete that connection.');
    }
    const [id, now] = [newId('gitconnection'), nowOf(ctx)];
    const hostKeys = hostKeysFrom(url, input.sshHostKeys);
    const secret = newHookSecret();
    await ctx.db
      .insertInto('git_connection')
      .values({
        id,
        organizationId,
        spaceId,
        provider: input.provider ?? providerAt(url),
        repositoryUrl: url,
        credentials:
          credentials === undefined ? null : connectionCredentials.encrypt(ctx.services, { id }, credentials),
        ...(isSsh(url) && newKeyColumns(ctx, id)),
        sshHostKeys: jsonColumn(hostKeys),
        ref: input.ref,
        projectDirectory: directoryOf(input.repoProjectDirectory ?? '') ?? '',
        treeUrl: input.repoTreeURL ?? null,
        commitUrl: input.repoCommitURL ?? null,
        apiUrl: input.apiUrl ?? null,
        commitMessage: input.commitMessage ?? DEFAULT_MESSAGE,
        initialSide: input.initialSide ?? 'branch',
        importsPullRequests: input.importsPullRequests ?? true,
        hookSecret: hookSecret.encrypt(ctx.services, { id }, secret),
        stateSince: now,
        userId: requireUserId(ctx.actor),
        samlProviderId: ssoOf(ctx.actor)?.providerId ?? null,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    const ids = { gitConnectionId: id };
    const changes = settingsSet({ repositoryUrl: url, ref: input.ref });
    await recordEvent(ctx, { kind: 'git_connection_created', organizationId, spaceId, ids, changes });
    return { connection: await gitConnectionFor(ctx, spaceId, needed), hookSecret: secret };
  },
  shownOnce: ['hookSecret'],
});
