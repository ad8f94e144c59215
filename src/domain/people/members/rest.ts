import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { addSsoMember } from './add-sso-member.ts';
import { getMember } from './get-member.ts';
import { joinOrganization } from './join-organization.ts';
import { listMembers } from './list-members.ts';
import { pingOrganization } from './ping-organization.ts';
import { removeMember } from './remove-member.ts';
import { member } from './resources.ts';
import { updateMember } from './update-member.ts';

const ORGANIZATION = '/v1/orgs/:organizationId';
const MEMBERS = `${ORGANIZATION}/members`;
const MEMBER = `${MEMBERS}/:userId`;

const listQuery = z.object({
  order: z
    .enum(['asc', 'desc'])
    .default('desc')
    .describe('Sort direction. Default: `desc`, which for times is the latest first.'),
  sort: z
    .enum(['joinedAt', 'displayName', 'lastSeenAt'])
    .default('joinedAt')
    .describe('Field to sort by. `lastSeenAt` leaves out members who were never active.'),
});

const claimsShape = z
  .object({
    serviceVisitorClaims: z
      .string()
      .optional()
      .describe('A JWT with claims about you, valid for an hour. Absent unless you are an SSO member.'),
    gitbookVisitorClaims: z.string().optional().describe('The same token.'),
  })
  .meta({ id: 'OrganizationPing', description: 'The result of a ping.' });

export const memberRoutes: Route[] = [
  listRoute(MEMBERS, listMembers, {
    operationId: 'listMembersInOrganizationById',
    response: resourceResponse(member),
    query: listQuery,
    sets: ['orderBy'],
    toInput: (input, { query: { sort = 'joinedAt', order = 'desc' } }) =>
      ({ ...input, orderBy: { field: sort, direction: order } }) as z.input<typeof listMembers.input>, // validated by the operation
    issueInRest: ({ path, message }) => {
      if (path[0] !== 'orderBy') return undefined;
      return { path: [path[1] === 'direction' ? 'order' : 'sort'], message };
    },
  }),
  route('GET', MEMBER, getMember, { operationId: 'getMemberInOrganizationById', response: resourceResponse(member) }),
  route('PATCH', MEMBER, updateMember, {
    operationId: 'updateMemberInOrganizationById',
    response: resourceResponse(member),
  }),
  route('DELETE', MEMBER, removeMember, { operationId: 'removeMemberFromOrganizationById' }),
  route('POST', `${MEMBER}/sso`, addSsoMember, {
    operationId: 'setUserAsSSOMemberForOrganization',
    response: resourceResponse(member),
  }),
  route('POST', `${ORGANIZATION}/join`, joinOrganization, { operationId: 'joinOrganization' }),
  route('POST', `${ORGANIZATION}/ping`, pingOrganization, {
    operationId: 'updateOrganizationMemberLastSeenAt',
    shape: claimsShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: ({ visitorClaims: token }) =>
      token === null ? {} : { serviceVisitorClaims: token, gitbookVisitorClaims: token },
  }),
];
