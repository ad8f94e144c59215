import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from './access.ts';
import { spaceId } from './settings.ts';

export const getSpace = query({
  name: 'getSpace',
  description: 'Gets a space. Admins of the space can also get it after its deletion, until it is permanently removed.',
  openToAnonymous: true,
  input: z.object({
    spaceId,
    shareKey: z.string().max(256).nullish().describe('Key of a share link that shows the space.'),
  }),
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', permissions.getSpace.space, { deleted: 'allowed' }),
  run: (ctx, { spaceId: id, shareKey }) =>
    spaceFor(ctx, id, permissions.getSpace.space, { deleted: 'allowed', shareKey }),
});
