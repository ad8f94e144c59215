import { listRoute, type Route } from '../../../platform/http/route.ts';
import { pageResultShape, presentPageResult, presentSpaceResult, spaceResultShape } from './present.ts';
import { searchOrganizationContent } from './search-organization-content.ts';
import { searchSpaceContent } from './search-space-content.ts';

export const searchRoutes: Route[] = [
  listRoute('/v1/spaces/:spaceId/search', searchSpaceContent, {
    operationId: 'searchSpaceContent',
    shape: pageResultShape,
    present: presentPageResult,
    isUncounted: true,
  }),
  listRoute('/v1/orgs/:organizationId/search', searchOrganizationContent, {
    operationId: 'searchOrganizationContent',
    shape: spaceResultShape,
    present: presentSpaceResult,
    isUncounted: true,
  }),
];
