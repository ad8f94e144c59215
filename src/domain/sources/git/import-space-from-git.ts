import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { assertRepositoryReadable } from './assert-repository-readable.ts';
import { createGitRun } from './create-run.ts';
import { runInput } from './run-input.ts';

const needed = permissions.importSpaceFromGit.space;

export const importSpaceFromGit = command({
  name: 'importSpaceFromGit',
  scope: 'write',
  description:
    'Starts an import of a Git branch into the primary content of a space, in the background. Works on locked spaces too. Changes in the space since the last synchronization are merged; conflicts become a change request. Pages keep their ' +
    'IDs when their files are renamed. BAD_USER_INPUT if the server answers at once that it has no such branch or repository, or refuses the ' +
    'credentials.',
  input: z.object({
    ...runInput,
    force: z
      .boolean()
      .nullish()
      .describe(
        'Whether the branch wins: changes in the space since the last synchronization are replaced, and an older `timestamp` is accepted. Default: false.',
      ),
    standalone: z
      .boolean()
      .nullish()
      .describe('Whether to create a revision without changing the primary content. Default: false.'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async prepare(ctx, { spaceId, url, ref, repoProjectDirectory, standalone }) {
    const { organizationId } = await spaceFor(ctx, spaceId, needed);
    await assertRepositoryReadable(ctx, organizationId, {
      spaceId,
      url,
      ref,
      repoProjectDirectory,
      direction: 'import',
      standalone: standalone ?? false,
    });
  },
  async run(ctx, { force, standalone, ...input }) {
    const { organizationId } = await spaceFor(ctx, input.spaceId, needed, { lock: 'for key share' });
    const options = { direction: 'import' as const, force: force ?? false, standalone: standalone ?? false };
    return createGitRun(ctx, organizationId, input, options);
  },
});
