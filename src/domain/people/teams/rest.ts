import { z } from 'zod';
import { restOrder } from '../../../platform/http/rest-order.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { addTeamMember } from './add-team-member.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { teamOrderField, teamRole } from './enums.ts';
import { getTeam } from './get-team.ts';
import { listMemberTeams } from './list-member-teams.ts';
import { listTeamMembers } from './list-team-members.ts';
import { listTeams } from './list-teams.ts';
import { removeTeamMember } from './remove-team-member.ts';
import { memberTeam, team, teamMember } from './resources.ts';
import { setTeamMembers } from './set-team-members.ts';
import { updateTeam } from './update-team.ts';

const TEAMS = '/v1/orgs/:organizationId/teams';
const TEAM = `${TEAMS}/:teamId`;
const MEMBERS = `${TEAM}/members`;

const setBody = z.object({
  add: setTeamMembers.input.shape.addUserIds,
  memberships: z
    .record(z.string(), z.object({ role: teamRole.describe('Role in the team.') }))
    .optional()
    .describe('Up to 1,000 members to add with a role, or whose role changes, by the ID of the user.'),
  remove: setTeamMembers.input.shape.removeUserIds,
});

export const teamRoutes: Route[] = [
  listRoute(TEAMS, listTeams, {
    operationId: 'listTeamsInOrganizationById',
    ...restOrder(listTeams, teamOrderField, 'by name'),
    response: resourceResponse(team),
  }),
  route('PUT', TEAMS, createTeam, {
    operationId: 'createOrganizationTeam',
    status: 201,
    rename: { members: 'userIds' },
    response: resourceResponse(team),
  }),
  route('GET', TEAM, getTeam, { operationId: 'getTeamInOrganizationById', response: resourceResponse(team) }),
  route('PATCH', TEAM, updateTeam, { operationId: 'updateTeamInOrganizationById', response: resourceResponse(team) }),
  route('DELETE', TEAM, deleteTeam, { operationId: 'removeTeamFromOrganizationById' }),
  listRoute(MEMBERS, listTeamMembers, {
    operationId: 'listTeamMembersInOrganizationById',
    response: resourceResponse(teamMember),
  }),
  route('PUT', MEMBERS, setTeamMembers, {
    operationId: 'updateMembersInOrganizationTeam',
    body: setBody,
    rename: { add: 'addUserIds', remove: 'removeUserIds' },
    toInput: ({ memberships, ...input }) =>
      ({ ...input, ...(memberships !== undefined && { memberships: listOf(memberships) }) }) as z.input<
        typeof setTeamMembers.input
      >, // untrusted; the operation checks it
    issueInRest: ({ path, message }, { body }) => issueOfMembership(path, message, body),
  }),
  route('PUT', `${MEMBERS}/:userId`, addTeamMember, { operationId: 'addMemberToOrganizationTeamById' }),
  route('DELETE', `${MEMBERS}/:userId`, removeTeamMember, { operationId: 'deleteMemberFromOrganizationTeamById' }),
  listRoute('/v1/orgs/:organizationId/members/:userId/teams', listMemberTeams, {
    operationId: 'listTeamsForOrganizationMember',
    response: resourceResponse(memberTeam),
  }),
];

/** `{ [userId]: { role } }` as a list. Other values stay as they are, for the operation to reject. */
function listOf(memberships: unknown): unknown {
  if (typeof memberships !== 'object' || memberships === null || Array.isArray(memberships)) return memberships;
  return Object.entries(memberships).map(([userId, membership]) =>
    typeof membership === 'object' && membership !== null ? { ...membership, userId } : membership,
  );
}

/** The path of an issue in `memberships`, by the id of the user instead of an index. */
function issueOfMembership(path: (string | number)[], message: string, body: unknown) {
  const [name, index, member] = path;
  if (name !== 'memberships' || typeof index !== 'number') return undefined;
  const { memberships } = body as { memberships?: object }; // otherwise there would be no such issue
  const userId = Object.keys(memberships ?? {})[index] ?? '';
  return { path: [name, userId, ...(member === undefined || member === 'userId' ? [] : [member])], message };
}
