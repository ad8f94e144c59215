import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { listConflicts } from './list-conflicts.ts';
import { mergeChangeRequest } from './merge-change-request.ts';
import { conflictShape, mergeShape, presentConflict, presentOutcome, pullShape } from './present.ts';
import { pullChangeRequest } from './pull-change-request.ts';
import { resolveChangeRequestConflicts } from './resolve-change-request-conflicts.ts';

const ONE = '/v1/spaces/:spaceId/change-requests/:changeRequestId';

export const changeRequestMergeRoutes: Route[] = [
  route('POST', `${ONE}/merge`, mergeChangeRequest, {
    operationId: 'mergeChangeRequest',
    shape: mergeShape,
    present: presentOutcome,
  }),
  route('POST', `${ONE}/update`, pullChangeRequest, {
    operationId: 'updateChangeRequest',
    shape: pullShape,
    present: presentOutcome,
  }),
  listRoute(`${ONE}/conflicts`, listConflicts, {
    operationId: 'listChangeRequestConflicts',
    shape: conflictShape,
    present: presentConflict,
  }),
  route('POST', `${ONE}/conflicts/resolve`, resolveChangeRequestConflicts, {
    operationId: 'resolveChangeRequestConflicts',
    shape: pullShape,
    present: presentOutcome,
  }),
];
