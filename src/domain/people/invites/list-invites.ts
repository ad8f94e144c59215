import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { assertAdmin } from '../access/index.ts';
import type { EmailInviteRow } from './load.ts';

const pending = listing<object, EmailInviteRow>({
  name: 'organization.invites',
  from: 'email_invite as i',
  parent: 'organizationId',
  where: (_args, { ctx }) => [sql`i.expires_at > ${nowOf(ctx)}`],
  order: newestFirst,
});

/** The pending invitations of an organization. FORBIDDEN for callers who are not admins. */
export async function invitesOf(ctx: Context, organizationId: string) {
  await assertAdmin(ctx, organizationId);
  return pending(ctx, organizationId, {});
}

export const listInvites = query({
  name: 'listInvites',
  scope: 'admin',
  description:
    'Lists the pending invitations by email to an organization, newest first. Only for admins of the organization.',
  input: z.object({ organizationId: idOf('org') }),
  run: (ctx, { organizationId }) => invitesOf(ctx, organizationId),
});
