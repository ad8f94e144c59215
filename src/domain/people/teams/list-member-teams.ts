import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { memberFor } from '../members/index.ts';
import { byTitle, contains, type ListedTeam, titleFilter } from './list-teams.ts';
import type { TeamRole } from './load.ts';

const needed = permissions.listMemberTeams.organization;

/** A team with the role that a member has in it. */
export type MemberTeamRow = ListedTeam & { memberRole: TeamRole };

/** The teams of a member, by id of the membership. Does not check access. */
export const teamsOfMember = listing<{ title: string | null }, MemberTeamRow>({
  name: 'member.teams',
  select: sql`t.*, lower(t.title) as title_key, tm.role as member_role`,
  from: (memberId, { title }) => sql`
    from membership m
    join team_member tm on tm.organization_id = m.organization_id and tm.user_id = m.user_id
    join team t on t.id = tm.team_id
    where m.id = ${memberId} ${contains(title)}`,
  order: () => [...byTitle],
});

export const listMemberTeams = query({
  name: 'listMemberTeams',
  description: 'Lists the teams of a member of an organization with the role of the member in each, ordered by name.',
  input: z.object({ organizationId: idOf('org'), userId: idOf('user'), title: titleFilter }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, userId, title }) {
    const { id } = await memberFor(ctx, { organizationId, userId });
    return teamsOfMember(ctx, id, { title: title ? title.toLowerCase() : null });
  },
});
