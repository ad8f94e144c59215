import { listRoute, type Route, resourceAnswer } from '../../../platform/http/route.ts';
import { pageResult, spaceResult } from './resources.ts';
import { searchOrganizationContent } from './search-organization-content.ts';
import { searchSpaceContent } from './search-space-content.ts';

export const searchRoutes: Route[] = [
  listRoute('/v1/spaces/:spaceId/search', searchSpaceContent, {
    operationId: 'searchSpaceContent',
    answers: resourceAnswer(pageResult),
    isUncounted: true,
  }),
  listRoute('/v1/orgs/:organizationId/search', searchOrganizationContent, {
    operationId: 'searchOrganizationContent',
    answers: resourceAnswer(spaceResult),
    isUncounted: true,
  }),
];
