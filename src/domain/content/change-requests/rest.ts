import type { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { createChangeRequest } from './create-change-request.ts';
import { getChangeRequest } from './get-change-request.ts';
import { listChangeRequests } from './list-change-requests.ts';
import { listChangeRequestContributors } from './list-contributors.ts';
import { listOrganizationChangeRequests } from './list-organization-change-requests.ts';
import { changeRequest, changeRequestLocation, contributor } from './resources.ts';
import { updateChangeRequest } from './update-change-request.ts';
import { descriptionFromRest, updateBody } from './update-from-rest.ts';

const OF_SPACE = '/v1/spaces/:spaceId/change-requests';

/** Names of filters in REST that differ from the graph's. */
const rename = { conversationsIssuesCluster: 'issuesCluster' } as const;

export const changeRequestRoutes: Route[] = [
  listRoute(OF_SPACE, listChangeRequests, {
    operationId: 'listChangeRequestsForSpace',
    rename,
    response: resourceResponse(changeRequest),
  }),
  route('POST', OF_SPACE, createChangeRequest, {
    operationId: 'createChangeRequest',
    rename: { conversationsIssuesCluster: 'issuesClusterId' },
    status: 201,
    headers: (row, ctx) => ({ location: changeRequestLocation(row, ctx) }),
    response: resourceResponse(changeRequest),
  }),
  route('GET', `${OF_SPACE}/:changeRequestId`, getChangeRequest, {
    operationId: 'getChangeRequestById',
    response: resourceResponse(changeRequest),
  }),
  route('PATCH', `${OF_SPACE}/:changeRequestId`, updateChangeRequest, {
    operationId: 'updateChangeRequestById',
    toInput: (properties) => descriptionFromRest<z.input<typeof updateChangeRequest.input>>(properties),
    body: updateBody,
    response: resourceResponse(changeRequest),
  }),
  listRoute(`${OF_SPACE}/:changeRequestId/contributors`, listChangeRequestContributors, {
    operationId: 'getContributorsByChangeRequestId',
    response: resourceResponse(contributor),
  }),
  listRoute('/v1/orgs/:organizationId/change-requests', listOrganizationChangeRequests, {
    operationId: 'listChangeRequestsForOrganization',
    rename,
    response: resourceResponse(changeRequest),
  }),
];
