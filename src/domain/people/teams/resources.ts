import { resource } from '../../../platform/resource/resource.ts';
import { accessInOrganization } from '../access/index.ts';
import { member } from '../members/index.ts';
import { teamRole } from './enums.ts';
import type { MemberTeamRow } from './list-member-teams.ts';
import type { TeamMemberRow } from './list-team-members.ts';
import { countTeamMembers, countTeamSpaces, ownsTeam, type TeamRole, type TeamRow } from './load.ts';

const teamPermissions = resource<{ view: boolean; admin: boolean }>(
  { name: 'TeamPermissions', description: 'Your permissions on a team.' },
  (f) => ({
    view: f.boolean('You can see the team.', ({ view }) => view),
    admin: f.boolean('You can rename the team and change its members.', ({ admin }) => admin),
  }),
);

export const team = resource<TeamRow>(
  {
    name: 'Team',
    object: 'team',
    node: 'team',
    description: 'A group of members of one organization. Roles can be granted to it.',
  },
  (f) => ({
    title: f.string('Name of the team, 1 to 64 characters.', ({ title }) => title),
    createdAt: f.time('Time when the team was created.', ({ createdAt }) => createdAt),
    membersCount: f.count(
      'Number of members of the team.',
      async ({ id }, ctx) => (await countTeamMembers(ctx, id)) ?? 0,
      {
        rest: 'members',
      },
    ),
    spacesCount: f.count(
      'Number of spaces on which the team was granted a role.',
      async ({ id }, ctx) => (await countTeamSpaces(ctx, id)) ?? 0,
      { rest: 'spaces' },
    ),
    permissions: f.object(() => teamPermissions)('Your permissions on the team.', async (row, ctx) => {
      const [access, owns] = await Promise.all([accessInOrganization(ctx, row.organizationId), ownsTeam(ctx, row.id)]);
      return { view: access !== undefined, admin: access?.role === 'admin' || owns === true };
    }),
  }),
);

const teamMembership = resource<{ role: TeamRole }>(
  { name: 'TeamMembership', schemaName: 'TeamMember', description: 'How a member belongs to a team.' },
  (f) => ({ role: f.enum(teamRole)('Role in the team.', ({ role }) => role) }),
);

const teamMemberPermissions = resource<object>(
  { name: 'TeamMemberPermissions', description: 'Your permissions on a member of a team.' },
  (f) => ({ view: f.boolean('You can see the member.', () => true) }),
);

/** A member of a team in REST. In the graph, the role is a field of the edge. */
export const teamMember = resource<TeamMemberRow>(
  { name: 'OrganizationTeamMember', description: 'A member of a team.' },
  (f) => ({
    organization: f.object(() => member)('The member of the organization.', (row) => row),
    team: f.object(() => teamMembership)('How the member belongs to the team.', ({ teamRole: role }) => ({ role })),
    permissions: f.object(() => teamMemberPermissions)('Your permissions on the member.', (row) => row),
  }),
);

/** A team of a member in REST. In the graph, the role is a field of the edge. */
export const memberTeam = resource<MemberTeamRow>(
  { name: 'OrganizationMemberTeam', description: 'A team that a member belongs to.' },
  (f) => ({
    team: f.object(() => team)('The team.', (row) => row),
    member: f.object(() => teamMembership)('How the member belongs to the team.', ({ memberRole: role }) => ({ role })),
  }),
);
