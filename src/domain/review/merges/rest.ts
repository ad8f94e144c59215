import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { listConflicts } from './list-conflicts.ts';
import { mergeChangeRequest } from './merge-change-request.ts';
import { pullChangeRequest } from './pull-change-request.ts';
import { resolveChangeRequestConflicts } from './resolve-change-request-conflicts.ts';
import { mergeConflict, mergeOutcome, pullOutcome } from './resources.ts';

const CHANGE_REQUEST = '/v1/spaces/:spaceId/change-requests/:changeRequestId';

export const changeRequestMergeRoutes: Route[] = [
  route('POST', `${CHANGE_REQUEST}/merge`, mergeChangeRequest, {
    operationId: 'mergeChangeRequest',
    response: resourceResponse(mergeOutcome),
  }),
  route('POST', `${CHANGE_REQUEST}/update`, pullChangeRequest, {
    operationId: 'updateChangeRequest',
    response: resourceResponse(pullOutcome),
  }),
  listRoute(`${CHANGE_REQUEST}/conflicts`, listConflicts, {
    operationId: 'listChangeRequestConflicts',
    response: resourceResponse(mergeConflict),
  }),
  route('POST', `${CHANGE_REQUEST}/conflicts/resolve`, resolveChangeRequestConflicts, {
    operationId: 'resolveChangeRequestConflicts',
    response: resourceResponse(pullOutcome),
  }),
];
