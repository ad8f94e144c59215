import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { accessInOrganization } from '../access/index.ts';
import type { MemberRow } from '../members/index.ts';
import { callerId, rejectHiddenOrganization, teamFor, teamName } from './access.ts';
import type { TeamRole } from './load.ts';

/** A member of an organization, with the role in a team. */
export type TeamMemberRow = MemberRow & { teamRole: TeamRole; teamAddedAt: string };

/** Whose members are listed: all, or for guests only themselves. */
interface Choice {
  userId: string | null;
}

/** The members of a team, the first to be added first. Does not check access. */
const membersOfTeam = listing<Choice, TeamMemberRow>({
  name: 'team.members',
  from: 'membership as m',
  join: sql`join team_member tm on tm.organization_id = m.organization_id and tm.user_id = m.user_id`,
  select: sql`m.*, tm.role as team_role, tm.added_at as team_added_at`,
  parent: 'tm.teamId',
  where: ({ userId }) => [userId !== null && sql`tm.user_id = ${userId}`],
  order: [asc('teamAddedAt', 'timestamptz', 'tm.addedAt'), asc('id')],
});

export const listTeamMembers = query({
  name: 'listTeamMembers',
  description:
    'Lists the members of a team with their roles in it, the first to be added first. Guests only see themselves.',
  input: z.object(teamName),
  authorize: (ctx, { organizationId }) => rejectHiddenOrganization(ctx, organizationId),
  run: async (ctx, name) => visibleMembers(ctx, await teamFor(ctx, name)),
});

/** The members of a team that the caller can see. */
export async function visibleMembers(
  ctx: Parameters<typeof membersOfTeam>[0],
  { id, organizationId }: { id: string; organizationId: string },
) {
  const access = await accessInOrganization(ctx, organizationId);
  return membersOfTeam(ctx, id, { userId: access?.role ? null : callerId(ctx) });
}
