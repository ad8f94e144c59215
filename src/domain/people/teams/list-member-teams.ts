import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { memberFor } from '../members/index.ts';
import { byTitle, isTitled, type ListedTeam, titleFilter } from './list-teams.ts';
import type { TeamRole } from './load.ts';

const needed = permissions.listMemberTeams.organization;

/** A team with the role that a member has in it. */
export type MemberTeamRow = ListedTeam & { memberRole: TeamRole };

/** The teams of a member, by id of the membership. Does not check access. */
export const teamsOfMember = listing<{ title: string | null }, MemberTeamRow>({
  name: 'member.teams',
  from: 'team as t',
  join: sql`
    join team_member tm on tm.team_id = t.id
    join membership m on m.organization_id = tm.organization_id and m.user_id = tm.user_id`,
  select: sql`t.*, lower(t.title) as title_key, tm.role as member_role`,
  parent: 'm.id',
  where: ({ title }) => [isTitled(title)],
  order: byTitle,
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
