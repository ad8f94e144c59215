import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { type OrganizationRow, organizationFor } from '../../people/access/index.ts';
import { authorizeTarget, authorizeTargetOfIds, type InviteTarget } from './access.ts';
import type { LinkInviteRow } from './load.ts';

interface Choice {
  spaceId: string | null;
  collectionId: string | null;
}

const links = listing<Choice, LinkInviteRow>({
  name: 'organization.linkInvites',
  from: 'link_invite as i',
  parent: 'organizationId',
  where: ({ spaceId, collectionId }) => [
    spaceId !== null && sql`i.space_id = ${spaceId}`,
    collectionId !== null && sql`i.collection_id = ${collectionId}`,
  ],
  order: newestFirst,
});

/** The links of an organization, or those to one target. Throws for callers who cannot list them. */
export async function linkInvitesOf(
  ctx: Context,
  organization: OrganizationRow,
  { spaceId, collectionId }: InviteTarget,
) {
  await authorizeTarget(ctx, organization, { spaceId, collectionId });
  return links(ctx, organization.id, { spaceId: spaceId ?? null, collectionId: collectionId ?? null });
}

export const listLinkInvites = query({
  name: 'listLinkInvites',
  scope: 'admin',
  description:
    'Lists the invite links of an organization including those to spaces and collections, newest first. Requires the role ' +
    '`admin` in the organization; for the links to one space or collection, there.',
  input: z.object({
    organizationId: idOf('org'),
    spaceId: idOf('space').nullish().describe('Only links to this space.'),
    collectionId: idOf('collection').nullish().describe('Only links to this collection.'),
  }),
  authorize: (ctx, ids) => authorizeTargetOfIds(ctx, ids),
  async run(ctx, { organizationId, ...target }) {
    return linkInvitesOf(ctx, await organizationFor(ctx, organizationId, 'member'), target);
  },
});
