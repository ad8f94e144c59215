import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { gitConnectionFor } from './access.ts';

const needed = permissions.getGitConnection.space;

export const getGitConnection = query({
  name: 'getGitConnection',
  description:
    'Gets the connection of a space to a Git branch, with its state and what to do next. NOT_FOUND if it has none. Requires `create` on the space, ' +
    'since the URL of the repository and what servers respond are not for every reader.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  run: (ctx, { spaceId }) => gitConnectionFor(ctx, spaceId, needed),
});
