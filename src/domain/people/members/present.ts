import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { countIn, idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import { role } from '../access/index.ts';
import { loadUser, presentUser, userShape } from '../users/index.ts';
import { memberCounts } from './counts.ts';
import type { MemberRow } from './load.ts';

/** REST's Member, whose id is the user's. */
export async function presentMember(member: MemberRow, ctx: Context) {
  const [user, counts] = await Promise.all([loadUser(ctx, member.userId), memberCounts(ctx, member.id)]);
  return {
    object: 'member',
    id: member.userId,
    role: member.role,
    ...(user && { user: presentUser(user, ctx) }),
    disabled: member.isDisabled,
    joinedAt: member.joinedAt,
    ...(member.lastSeenAt !== null && { lastSeenAt: member.lastSeenAt }),
    sso: member.isSso,
    spaces: counts?.spaces ?? 0,
    sites: counts?.sites ?? 0,
    teams: counts?.teams ?? 0,
  };
}

export const memberShape = namedShape('Member', 'A user in an organization.', {
  object: objectIs('member'),
  id: idIn('user'),
  role: role.nullable().describe('The role in the organization; null for a guest, who sees only what is granted.'),
  user: userShape.optional().describe('The person.'),
  disabled: z.boolean().describe('Whether all access of theirs is stopped.'),
  joinedAt: timeIn('When they joined.'),
  lastSeenAt: timeIn('When they were last seen.').optional(),
  sso: z.boolean().describe('Whether they sign in by SSO.'),
  spaces: countIn('Spaces that they can read.'),
  sites: countIn('Sites that they can read.'),
  teams: countIn('Teams that they are in.'),
});
