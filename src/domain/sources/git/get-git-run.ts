import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { gitRunFor } from './access.ts';

const needed = permissions.getGitRun.space;

/** The input by which operations identify a run. REST paths contain the space as well. */
export const gitRunName = {
  gitRunId: idOf('gitrun'),
  spaceId: idOf('space').nullish().describe('ID of the space that the run must belong to.'),
};

export const getGitRun = query({
  name: 'getGitRun',
  description:
    'Gets an import from or export to a Git branch. Requires `create` on its space, because its log contains responses of the server.',
  input: z.object(gitRunName),
  run: (ctx, name) => gitRunFor(ctx, name, needed),
});
