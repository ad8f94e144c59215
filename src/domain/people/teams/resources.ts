import { resource } from '../../../platform/resource/resource.ts';
import { accessInOrganization } from '../access/index.ts';
import { countTeamMembers, countTeamSpaces, ownsTeam, type TeamRow } from './load.ts';

const teamPermissions = resource<{ view: boolean; admin: boolean }>(
  { name: 'TeamPermissions', description: 'What you can do with a team.' },
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
      'Number of spaces that a role was granted on to the team.',
      async ({ id }, ctx) => (await countTeamSpaces(ctx, id)) ?? 0,
      { rest: 'spaces' },
    ),
    permissions: f.object(() => teamPermissions)('What you can do with the team.', async (row, ctx) => {
      const [access, owns] = await Promise.all([accessInOrganization(ctx, row.organizationId), ownsTeam(ctx, row.id)]);
      return { view: access !== undefined, admin: access?.role === 'admin' || owns === true };
    }),
  }),
);
