import { z } from 'zod';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import type { GitRunRow } from '../access.ts';
import { gitConnectionFor } from './access.ts';
import { gitSide } from './enums.ts';
import { startRun } from './start-run.ts';

const needed = permissions.previewGitConnection.space;

export const previewGitConnection = command({
  name: 'previewGitConnection',
  scope: 'write',
  description:
    'Computes what `startGitConnection` would change, in the background, without changing the primary content or the branch. `preview` of the run lists pages and files that would be added, changed or removed.',
  input: z.object({
    spaceId: idOf('space'),
    side: gitSide.nullish().describe('Side that would win. Default: `initialSide` of the connection.'),
  }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, side }): Promise<{ gitRun: GitRunRow }> {
    const row = await gitConnectionFor(ctx, spaceId, needed, { lock: 'for key share' });
    const direction = (side ?? row.initialSide) === 'branch' ? 'import' : 'export';
    return { gitRun: await startRun(ctx, row, { direction, force: true, isDryRun: true }) };
  },
});
