import { type RawBuilder, sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { MemberRow } from './load.ts';

type Name = Pick<MemberRow, 'organizationId' | 'userId'>;

/**
 * Withdraws the invitations by email to the addresses and the SCIM name of a member who loses access: each could make
 * another account of the person a member.
 */
export const withdrawInvitesTo = (ctx: Context, member: Name): Promise<void> => withdraw(ctx, member, sql`false`);

/** Withdraws those invitations, and all invitations and invite links that the member has made. */
export async function withdrawInvites(ctx: Context, member: Name): Promise<void> {
  const { organizationId, userId } = member;
  await withdraw(ctx, member, sql`i.invited_by = ${userId}`);
  await ctx.db
    .deleteFrom('link_invite')
    .where('organizationId', '=', organizationId)
    .where('createdBy', '=', userId)
    .execute();
}

/** They stay as expired ones until they are removed, see `renewRecent`. */
async function withdraw(ctx: Context, { organizationId, userId }: Name, orMatches: RawBuilder<unknown>): Promise<void> {
  const now = nowOf(ctx);
  await sql`
    update email_invite i set expires_at = ${now}
    where i.organization_id = ${organizationId} and i.expires_at > ${now} and (${orMatches} or lower(i.email) in (
      select lower(m.email) from membership m where m.organization_id = ${organizationId} and m.user_id = ${userId}
      union all
      select lower(s.user_name) from scim_user s where s.organization_id = ${organizationId} and s.user_id = ${userId}
      union all
      select lower(u.email) from "user" u where u.id = ${userId}))`.execute(ctx.db);
}
