import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { gitConnectionFor } from './access.ts';

const needed = permissions.getGitConnection.space;

export const getGitConnection = query({
  name: 'getGitConnection',
  description:
    'Gets the connection of a space to a Git branch, with its state and the next step. NOT_FOUND if it has none. Requires `create` on the space, ' +
    'because not every reader may see the URL of the repository and the responses of its server.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  run: (ctx, { spaceId }) => gitConnectionFor(ctx, spaceId, needed),
});
