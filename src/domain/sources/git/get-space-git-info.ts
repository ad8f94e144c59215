import { z } from 'zod';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { loadGitSync } from '../../store/git-sync/index.ts';

const needed = permissions.getSpaceGitInfo.space;

export const getSpaceGitInfo = query({
  name: 'getSpaceGitInfo',
  description:
    'Gets the Git branch that a space was last synchronized with, or will be for the first time, with the state of the latest import or export. ' +
    'NOT_FOUND if there is none.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId }) {
    await spaceFor(ctx, spaceId, needed);
    const sync = await loadGitSync(ctx, spaceId);
    if (!sync) throw notFound('Git synchronization of the space', spaceId);
    return sync;
  },
});
