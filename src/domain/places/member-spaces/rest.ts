import { listRoute, type Route, resourceResponse } from '../../../platform/http/route.ts';
import { listMemberSpaces } from './list-member-spaces.ts';
import { memberSpace } from './resources.ts';

export const memberSpaceRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/members/:userId/spaces', listMemberSpaces, {
    operationId: 'listSpacesForOrganizationMember',
    response: resourceResponse(memberSpace),
  }),
];
