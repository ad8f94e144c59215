import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { assertRepositoryReadable } from './assert-repository-readable.ts';
import { createGitRun } from './create-run.ts';
import { runInput } from './run-input.ts';

const needed = permissions.exportSpaceToGit.space;

export const exportSpaceToGit = command({
  name: 'exportSpaceToGit',
  scope: 'write',
  description:
    'Starts an export of the primary content of a space to a Git branch, in the background, as one commit with the differences. Each ' +
    'file is changed only where its page differs. Commits that the space has not seen are merged into it first. If nothing differs, no commit is created. BAD_USER_INPUT if the server answers at once that it has no such repository, or refuses the credentials.',
  input: z.object({
    ...runInput,
    commitMessage: multilineText(1, 10_000).describe('Message of the commit, up to 10,000 characters.'),
    force: z
      .boolean()
      .nullish()
      .describe(
        'Whether the space wins: a further commit replaces commits that the space has not seen instead of merging them, and an older `timestamp` is accepted. Default: false.',
      ),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async prepare(ctx, { spaceId, url, ref, repoProjectDirectory }) {
    const { organizationId } = await spaceFor(ctx, spaceId, needed);
    await assertRepositoryReadable(ctx, organizationId, {
      spaceId,
      url,
      ref,
      repoProjectDirectory,
      direction: 'export',
      standalone: false,
    });
  },
  async run(ctx, { force, commitMessage, ...input }) {
    const { organizationId } = await spaceFor(ctx, input.spaceId, needed, { lock: 'for key share' });
    return createGitRun(ctx, organizationId, input, { direction: 'export', force: force ?? false, commitMessage });
  },
});
