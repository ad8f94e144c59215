import { sql } from 'kysely';
import { z } from 'zod';
import { rejectBeyondReach, requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { forbidden, notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { lockAccess, organizationBlockedError } from '../../people/access/index.ts';
import { acceptMembership, joinAs, type MemberRow } from '../../people/members/index.ts';
import { type LinkName, linkName } from './access.ts';
import { type LinkInviteRow, mayCreatorShare, openLinks } from './load.ts';

export const joinWithLinkInvite = command({
  name: 'joinWithLinkInvite',
  scope: 'admin',
  description:
    'Joins an organization with an invite link. You get the role of the link, unless you already have a higher one. NOT_FOUND ' +
    'if the link was deleted or has expired, if its creator is disabled or may no longer create it, or if the organization has turned off invite links. Your own link changes nothing. FORBIDDEN for applications that are limited to organizations.',
  input: z.object(linkName),
  async run(ctx, name): Promise<{ organizationId: string }> {
    const userId = requireUserId(ctx.actor);
    // First without the lock, for which writes in the organization wait: the request can be repeated by all who have
    // the link.
    const seen = await linkToJoinWith({ ...ctx, decision: 'without locks' }, name, userId);
    if (await givesNothing(ctx, seen, userId)) {
      await acceptMembership(ctx, { organizationId: seen.organizationId, userId });
      return { organizationId: seen.organizationId };
    }
    const invite = await linkToJoinWith(ctx, name, userId);
    const { organizationId, spaceId } = invite;
    const targetId = targetOf(invite);
    const role = targetId === null ? invite.role : null;
    const { member, isNew } = await joinAs(ctx, { organizationId, userId, role });
    // With a link of their own, people whose role was lowered since would take it back.
    if (!isNew && invite.createdBy === userId) return { organizationId };
    const gained =
      targetId === null ? await raiseRole(ctx, member, role) : await raiseGrant(ctx, member, targetId, invite.role);
    if (!isNew && !gained) return { organizationId };
    await ctx.db
      .updateTable('link_invite')
      .set((eb) => ({ uses: eb('uses', '+', 1) }))
      .where('id', '=', invite.id)
      .execute();
    await recordEvent(ctx, { kind: 'link_invite_used', organizationId, spaceId, ids: { memberId: member.id, userId } });
    return { organizationId };
  },
});

/** The link, if the user may join with it. */
async function linkToJoinWith(ctx: Context, name: LinkName, userId: string): Promise<LinkInviteRow> {
  const link = await usableLink(ctx, name);
  rejectBeyondReach(ctx.actor, link.organizationId);
  await rejectDisabled(ctx, { userId, organizationId: link.organizationId });
  return link;
}

/** The space or collection that a link leads to. Null for the organization. */
const targetOf = ({ spaceId, collectionId }: LinkInviteRow): string | null => spaceId ?? collectionId;

/** Whether a link changes nothing for a user: a member who made it, or has at least what it gives. */
async function givesNothing({ db }: Context, link: LinkInviteRow, userId: string): Promise<boolean> {
  const { organizationId, createdBy, role } = link;
  const member = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .select(isRaisedTo(role).as('isRaised'))
    .executeTakeFirst();
  if (!member) return false;
  if (createdBy === userId) return true;
  const targetId = targetOf(link);
  if (targetId === null) return !member.isRaised;
  const grant = await db
    .selectFrom('grant')
    .where('targetId', '=', targetId)
    .where('granteeId', '=', userId)
    .where(sql<boolean>`role >= ${role}`)
    .select('targetId')
    .executeTakeFirst();
  return grant !== undefined;
}

/** The link, whose organization is held. All links that cannot be used have the same error. */
async function usableLink(ctx: Context, { inviteId, organizationId }: LinkName): Promise<LinkInviteRow> {
  const unusable = notFound('invite link', inviteId);
  const unlockedInvite = await ctx.db
    .selectFrom('link_invite')
    .where('id', '=', inviteId)
    .select('organizationId')
    .executeTakeFirst();
  if (!unlockedInvite || (organizationId && unlockedInvite.organizationId !== organizationId)) throw unusable;
  await lockAccess(ctx, unlockedInvite.organizationId);
  const invite = await openLinks(ctx)
    .where('i.id', '=', inviteId)
    // Own links give members nothing (`givesNothing`): they cannot take back a role.
    .where((eb) => eb.or([mayCreatorShare, eb('i.createdBy', '=', requireUserId(ctx.actor))]))
    .selectAll('i')
    .select('o.blocked')
    .executeTakeFirst();
  if (!invite) throw unusable;
  if (invite.blocked) throw organizationBlockedError(invite.blocked.reason);
  return invite;
}

async function rejectDisabled(
  { db }: Context,
  { organizationId, userId }: Pick<MemberRow, 'organizationId' | 'userId'>,
): Promise<void> {
  const member = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .select('isDisabled')
    .executeTakeFirst();
  if (member?.isDisabled) throw forbidden('Your membership in this organization is disabled.');
}

/** Whether the role of a membership is lower, or is the same from an identity provider. */
const isRaisedTo = (role: LinkInviteRow['role']) =>
  sql<boolean>`coalesce(coalesce(role, 'none') < ${role} or (role = ${role} and role_provider_id is not null), false)`;

/** Gives a member the role, if it is higher, or if an identity provider gave the same. Returns whether it was. */
async function raiseRole({ db }: Context, { id }: MemberRow, role: LinkInviteRow['role']): Promise<boolean> {
  if (role === null) return false;
  const { numUpdatedRows } = await db
    .updateTable('membership')
    .set({ role, roleProviderId: null })
    .where('id', '=', id)
    .where(isRaisedTo(role))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives a member a grant, if it is higher than the one they have on the target. Returns whether it was. */
async function raiseGrant(
  ctx: Context,
  { organizationId, userId }: MemberRow,
  targetId: string,
  role: LinkInviteRow['role'],
): Promise<boolean> {
  if (role === null) return false;
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('grant')
    .values({ targetId, granteeId: userId, organizationId, role, createdAt: nowOf(ctx) })
    .onConflict((conflict) =>
      conflict.columns(['targetId', 'granteeId']).doUpdateSet({ role }).where(sql<boolean>`"grant".role < ${role}`),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
