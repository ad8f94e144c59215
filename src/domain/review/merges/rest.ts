import { listRoute, type Route, resourceAnswer, route } from '../../../platform/http/route.ts';
import { listConflicts } from './list-conflicts.ts';
import { mergeChangeRequest } from './merge-change-request.ts';
import { pullChangeRequest } from './pull-change-request.ts';
import { resolveChangeRequestConflicts } from './resolve-change-request-conflicts.ts';
import { mergeConflict, mergeOutcome, pullOutcome } from './resources.ts';

const ONE = '/v1/spaces/:spaceId/change-requests/:changeRequestId';

export const changeRequestMergeRoutes: Route[] = [
  route('POST', `${ONE}/merge`, mergeChangeRequest, {
    operationId: 'mergeChangeRequest',
    answers: resourceAnswer(mergeOutcome),
  }),
  route('POST', `${ONE}/update`, pullChangeRequest, {
    operationId: 'updateChangeRequest',
    answers: resourceAnswer(pullOutcome),
  }),
  listRoute(`${ONE}/conflicts`, listConflicts, {
    operationId: 'listChangeRequestConflicts',
    answers: resourceAnswer(mergeConflict),
  }),
  route('POST', `${ONE}/conflicts/resolve`, resolveChangeRequestConflicts, {
    operationId: 'resolveChangeRequestConflicts',
    answers: resourceAnswer(pullOutcome),
  }),
];
