import { type RawBuilder, sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { MemberRow } from './load.ts';

type Name = Pick<MemberRow, 'organizationId' | 'userId'>;

/** Withdraws the invitations by email to the addresses of a member who loses access: each could make another account of the person a member. */
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

/** Those that were sent expire, so that inviting an address again within the hour sends no second email. Others are deleted. */
async function withdraw(
  ctx: Context,
  { organizationId, userId }: Name,
  isMeantToo: RawBuilder<unknown>,
): Promise<void> {
  const now = nowOf(ctx);
  const isMeant = sql`i.organization_id = ${organizationId} and (${isMeantToo} or lower(i.email) in (
    select lower(m.email) from membership m where m.organization_id = ${organizationId} and m.user_id = ${userId}
    union all
    select lower(u.email) from "user" u where u.id = ${userId}))`;
  await sql`
    update email_invite i set expires_at = ${now}
    where ${isMeant} and i.sent_at is not null and i.expires_at > ${now}`.execute(ctx.db);
  await sql`delete from email_invite i where ${isMeant} and i.sent_at is null`.execute(ctx.db);
}
