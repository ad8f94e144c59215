import type { z } from 'zod';
import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { createChangeRequest } from './create-change-request.ts';
import { getChangeRequest } from './get-change-request.ts';
import { listChangeRequests } from './list-change-requests.ts';
import { listChangeRequestContributors } from './list-contributors.ts';
import { listOrganizationChangeRequests } from './list-organization-change-requests.ts';
import {
  changeRequestShape,
  changeRequestUrls,
  contributorShape,
  presentChangeRequest,
  presentContributor,
} from './present.ts';

import { descriptionFromRest, updateBody } from './rest-update.ts';
import { updateChangeRequest } from './update-change-request.ts';

const OF_SPACE = '/v1/spaces/:spaceId/change-requests';

/** REST's names of filters, where they differ. */
const rename = { conversationsIssuesCluster: 'issuesCluster' } as const;

export const changeRequestRoutes: Route[] = [
  listRoute(OF_SPACE, listChangeRequests, {
    operationId: 'listChangeRequestsForSpace',
    rename,
    shape: changeRequestShape,
    present: presentChangeRequest,
  }),
  route('POST', OF_SPACE, createChangeRequest, {
    operationId: 'createChangeRequest',
    status: 201,
    headers: (changeRequest, ctx) => ({ location: changeRequestUrls(changeRequest, ctx).location }),
    shape: changeRequestShape,
    present: presentChangeRequest,
  }),
  route('GET', `${OF_SPACE}/:changeRequestId`, getChangeRequest, {
    operationId: 'getChangeRequestById',
    shape: changeRequestShape,
    present: presentChangeRequest,
  }),
  route('PATCH', `${OF_SPACE}/:changeRequestId`, updateChangeRequest, {
    operationId: 'updateChangeRequestById',
    toInput: (given) => descriptionFromRest<z.input<typeof updateChangeRequest.input>>(given),
    body: updateBody,
    shape: changeRequestShape,
    present: presentChangeRequest,
  }),
  listRoute(`${OF_SPACE}/:changeRequestId/contributors`, listChangeRequestContributors, {
    operationId: 'getContributorsByChangeRequestId',
    shape: contributorShape,
    present: presentContributor,
  }),
  listRoute('/v1/orgs/:organizationId/change-requests', listOrganizationChangeRequests, {
    operationId: 'listChangeRequestsForOrganization',
    rename,
    shape: changeRequestShape,
    present: presentChangeRequest,
  }),
];
