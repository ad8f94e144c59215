import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { linkFor, linkName, linkNameOf } from './access.ts';

export const getLinkInvite = query({
  name: 'getLinkInvite',
  scope: 'admin',
  description:
    'Gets an invite link. Requires the role `admin` in the organization, or on the space or collection of the link.',
  input: z.object(linkName),
  authorize: (ctx, ids) => linkFor(ctx, linkNameOf(ids)),
  run: linkFor,
});
