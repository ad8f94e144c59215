import { listRoute, type Route, resourceResponse } from '../../../platform/http/route.ts';
import { pageResult, spaceResult } from './resources.ts';
import { searchOrganizationContent } from './search-organization-content.ts';
import { searchSpaceContent } from './search-space-content.ts';

export const searchRoutes: Route[] = [
  listRoute('/v1/spaces/:spaceId/search', searchSpaceContent, {
    operationId: 'searchSpaceContent',
    response: resourceResponse(pageResult),
    isUncounted: true,
  }),
  listRoute('/v1/orgs/:organizationId/search', searchOrganizationContent, {
    operationId: 'searchOrganizationContent',
    response: resourceResponse(spaceResult),
    isUncounted: true,
  }),
];
