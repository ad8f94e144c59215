import { userIdOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput, forbidden, notFound } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import {
  accessInOrganization,
  decideBeforeLocks,
  lockAccess,
  notVisibleError,
  organizationBlockedError,
  organizationFor,
  organizationForAccess,
} from '../access/index.ts';
import { Membership } from './entity.ts';
import type { MemberRow } from './load.ts';

/** The input by which operations identify a member: the id of the membership, or those of organization and user. */
export const memberName = {
  memberId: idOf('member').nullish().describe('ID of the `Member` (`member_…`). Required unless `userId` is set.'),
  organizationId: idOf('org').nullish().describe('ID of the organization. Required with `userId`.'),
  userId: idOf('user').nullish().describe('ID of the user who is the member. Requires `organizationId`.'),
};

export interface MemberName {
  memberId?: string | null | undefined;
  organizationId?: string | null | undefined;
  userId?: string | null | undefined;
}

/** Converts the ids of an invalid input. */
export const memberNameOf = ({ memberId, organizationId, userId }: Record<string, string>): MemberName => ({
  memberId: memberId || null,
  organizationId: organizationId || null,
  userId: userId || null,
});

/**
 * The member, if the caller can see it: members with a role see all, guests only themselves. Otherwise NOT_FOUND.
 * BAD_USER_INPUT if the name identifies no member.
 */
export async function memberFor(ctx: Context, name: MemberName): Promise<MemberRow> {
  const { memberId, organizationId, userId } = name;
  if (organizationId && !(await accessInOrganization(ctx, organizationId)))
    throw notVisibleError(ctx, 'organization', organizationId);
  const what = memberId ?? userId ?? '';
  const member = await findMember(ctx, name);
  const access = member && (await accessInOrganization(ctx, member.organizationId));
  if (!member || !access) throw notFound('member', what);
  if (access.role === null && userIdOf(ctx.actor) !== member.userId) throw notFound('member', what);
  return member;
}

/**
 * Returns the member as a locked entity, and locks the access of the organization, for commands that change
 * memberships. Requires the role `admin`, or being the member if `orSelf` is set. FORBIDDEN in a blocked organization,
 * except to leave it.
 */
export async function memberForChange(
  ctx: Context,
  name: MemberName,
  { orSelf = false }: { orSelf?: boolean } = {},
): Promise<MemberRow> {
  const { id } = await decideBeforeLocks(ctx, async (deciding) => {
    const found = await memberFor(deciding, name);
    await lockAccess(deciding, found.organizationId);
    const isSelf = orSelf && userIdOf(ctx.actor) === found.userId;
    await organizationFor(deciding, found.organizationId, isSelf ? 'member' : 'admin');
    return found;
  });
  const member = await lockEntity(ctx, Membership, { id });
  if (!member) throw notFound('member', id);
  return member;
}

/** Throws unless the caller can list the members of the organization, which guests cannot. Batched. */
export async function listsMembers(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw notVisibleError(ctx, 'organization', organizationId);
  if (!atLeast(access.role, 'read')) throw forbidden('Guests cannot list the members of an organization.');
}

/**
 * Locks the access of an organization for a command that changes it, and returns the organization. FORBIDDEN in a
 * blocked organization.
 */
export async function lockOrganizationAccess(ctx: Context, organizationId: string, permission: 'admin' | 'member') {
  const organization = await organizationForAccess(ctx, organizationId, permission);
  if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
  return organization;
}

function findMember({ db }: Context, { memberId, organizationId, userId }: MemberName): Promise<MemberRow | undefined> {
  if (!memberId && !(organizationId && userId)) {
    throw badInput(['memberId'], 'is required, unless `organizationId` and `userId` are set.', 'REQUIRED');
  }
  return db
    .selectFrom('membership')
    .selectAll()
    .$if(Boolean(memberId), (members) => members.where('id', '=', memberId ?? ''))
    .$if(Boolean(organizationId), (members) => members.where('organizationId', '=', organizationId ?? ''))
    .$if(Boolean(userId), (members) => members.where('userId', '=', userId ?? ''))
    .executeTakeFirst();
}
