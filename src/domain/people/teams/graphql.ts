import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { NOTHING } from '../../../platform/paging/page.ts';
import { MemberType } from '../members/graphql.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadOrganization } from '../organizations/index.ts';
import { addTeamMember } from './add-team-member.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { teamRole } from './enums.ts';
import { getTeam } from './get-team.ts';
import { listMemberTeams, teamsOfMember } from './list-member-teams.ts';
import { listTeamMembers, visibleMembers } from './list-team-members.ts';
import { listsTeams, listTeams, teamListOptions, teamsOfOrganization } from './list-teams.ts';
import { loadTeam, type TeamRow } from './load.ts';
import { removeTeamMember } from './remove-team-member.ts';
import { team } from './resources.ts';
import { setTeamMembers } from './set-team-members.ts';
import { updateTeam } from './update-team.ts';

const TeamType = typeOf(team);
const TeamRoleType = enumType(teamRole);

registerNode(TeamType, 'team', loadTeam);

readInGraph(getTeam);
builder.objectFields(OrganizationType, (t) => ({
  team: t.field({
    type: TeamType,
    nullable: true,
    description: `${getTeam.description} Null if the team does not exist in the organization.`,
    args: { id: t.arg.id({ required: true, description: 'ID of the `Team` (`team_…`).' }) },
    resolve: ({ id: organizationId }, { id }, ctx) => orNull(getTeam(ctx, { organizationId, teamId: String(id) })),
  }),
  teams: connection(t, {
    type: TeamType,
    operation: listTeams,
    nullable: true,
    parent: 'organizationId',
    list: async ({ id }, args, ctx) => {
      await listsTeams(ctx, id);
      return teamsOfOrganization(ctx, id, teamListOptions(args));
    },
  }),
}));

builder.objectFields(TeamType, (t) => ({
  members: connection(t, {
    type: MemberType,
    operation: listTeamMembers,
    without: ['teamId', 'organizationId'],
    from: ({ id }) => ({ teamId: id }),
    list: (row, _input, ctx) => visibleMembers(ctx, row),
    edges: {
      name: 'TeamMember',
      fields: { role: { type: TeamRoleType, description: 'Role in the team.', resolve: (row) => row.teamRole } },
    },
  }),
}));

builder.objectFields(MemberType, (t) => ({
  teams: connection(t, {
    type: TeamType,
    operation: listMemberTeams,
    without: ['organizationId', 'userId'],
    from: ({ organizationId, userId }) => ({ organizationId, userId }),
    list: ({ id, hidesDetails }, { title }, ctx) =>
      hidesDetails ? NOTHING : teamsOfMember(ctx, id, { title: title ? title.toLowerCase() : null }),
    edges: {
      name: 'MemberTeam',
      fields: {
        role: { type: TeamRoleType, description: 'Role of the member in the team.', resolve: (row) => row.memberRole },
      },
    },
  }),
}));

const teamField = (description: string) => ({
  team: { type: TeamType, description, resolve: (row: TeamRow) => row },
});

mutation(createTeam, teamField('The new team.'));
mutation(updateTeam, teamField('The updated team.'));
mutation(addTeamMember, teamField('The team with its new member.'));
mutation(setTeamMembers, teamField('The team with its members after the change.'));

mutation(deleteTeam, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted team. Null if the team did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the team belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(removeTeamMember, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description:
      'ID of the user who was removed. Null if the user did not belong to the team, or you cannot see the team.',
    resolve: ({ deletedId }) => deletedId,
  },
  team: {
    type: TeamType,
    nullable: true,
    description: 'The team. Null if you cannot see it.',
    resolve: ({ teamId }, ctx) => (teamId === null ? null : loadTeam(ctx, teamId)),
  },
});
