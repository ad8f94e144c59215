import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { unauthenticated } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { embeddable, embedOf } from './embed-of.ts';

export const getSpaceEmbed = query({
  name: 'getSpaceEmbed',
  description:
    'Gets a card or frame to display for a URL, like `GET /v1/urls/embed`, for callers with any token that can view the space, including tokens of a published site. For tokens of a site, only well-known services such as YouTube are requested; other URLs get a card without a request.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), url: embeddable }),
  authorize: (ctx, { spaceId = '' }) => mayEmbed(ctx, spaceId),
  async run(ctx, { spaceId, url }) {
    await mayEmbed(ctx, spaceId);
    return embedOf(ctx, url);
  },
});

/** Makes outbound requests, so it requires a token. Site visitors can reach known services only. */
async function mayEmbed(ctx: Context, spaceId: string): Promise<void> {
  if (ctx.actor.kind === 'anonymous') throw unauthenticated();
  await spaceFor(ctx, spaceId, permissions.getSpaceEmbed.space);
}
