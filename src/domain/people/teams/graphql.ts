import { builder } from '../../../platform/graphql/builder.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { accessInOrganization } from '../access/index.ts';
import { countTeamMembers, loadTeam, ownsTeam, type TeamRow } from './load.ts';

const TeamPermissionsType = builder.objectRef<{ view: boolean; admin: boolean }>('TeamPermissions').implement({
  description: 'What you may do with a team.',
  fields: (t) => ({
    view: t.exposeBoolean('view', { description: 'See that it is there.' }),
    admin: t.exposeBoolean('admin', { description: 'Rename it and choose who belongs to it.' }),
  }),
});

export const TeamType = builder.objectRef<TeamRow>('Team').implement({
  description: 'A group of members of one organization, to which access is granted as to one.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'What it is called, 1 to 64 characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    membersCount: t.int({
      description: 'How many people belong to it.',
      resolve: async ({ id }, _args, ctx) => (await countTeamMembers(ctx, id)) ?? 0,
    }),
    permissions: t.field({
      type: TeamPermissionsType,
      description: 'What you may do with it.',
      resolve: async ({ id, organizationId }, _args, ctx) => {
        const [access, owns] = await Promise.all([accessInOrganization(ctx, organizationId), ownsTeam(ctx, id)]);
        return { view: access !== undefined, admin: access?.role === 'admin' || owns === true };
      },
    }),
  }),
});

registerNode(TeamType, 'team', loadTeam);
