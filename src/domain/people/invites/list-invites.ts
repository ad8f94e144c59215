import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { administers } from '../access/index.ts';
import type { EmailInviteRow } from './load.ts';

const pending = listing<object, EmailInviteRow>({
  name: 'organization.invites',
  select: sql`i.*`,
  from: (organizationId, _given, ctx) => sql`
    from email_invite i where i.organization_id = ${organizationId} and i.expires_at > ${nowOf(ctx)}`,
  order: () => [
    { by: sql`i.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`i.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

/** The pending invitations of an organization. FORBIDDEN for callers who are not admins. */
export async function invitesOf(ctx: Context, organizationId: string) {
  await administers(ctx, organizationId);
  return pending(ctx, organizationId, {});
}

export const listInvites = query({
  name: 'listInvites',
  description:
    'Lists the pending invitations by email to an organization, newest first. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  run: (ctx, { organizationId }) => invitesOf(ctx, organizationId),
});
