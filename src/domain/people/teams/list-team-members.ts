import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
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
export const membersOfTeam = listing<Choice, TeamMemberRow>({
  name: 'team.members',
  select: sql`m.*, tm.role as team_role, tm.added_at as team_added_at`,
  from: (teamId, { userId }) => sql`
    from team_member tm
    join membership m on m.organization_id = tm.organization_id and m.user_id = tm.user_id
    where tm.team_id = ${teamId} ${userId === null ? sql`` : sql`and tm.user_id = ${userId}`}`,
  order: () => [
    { by: sql`tm.added_at`, key: 'teamAddedAt', direction: 'asc', type: 'timestamptz' },
    { by: sql`m.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
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
