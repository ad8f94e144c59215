import { z } from 'zod';
import { unauthenticated } from '../../../platform/errors.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { embedOf } from './embed-of.ts';
import { embeddable } from './embeddable.ts';

export const getSpaceEmbed = query({
  name: 'getSpaceEmbed',
  description:
    'Gets what to display for a URL: the same result as `GET /v1/urls/embed`, but for everyone with a token who can view the space, also that of a published site.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), url: embeddable }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getSpaceEmbed.space),
  async run(ctx, { spaceId, url }) {
    // It sends requests, which nobody without a token can cause.
    if (ctx.actor.kind === 'anonymous') throw unauthenticated();
    await spaceFor(ctx, spaceId, permissions.getSpaceEmbed.space);
    return embedOf(ctx, url);
  },
});
