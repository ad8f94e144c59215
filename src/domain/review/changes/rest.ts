import { type Route, route } from '../../../platform/http/route.ts';
import { listChangeRequestChanges } from './list-change-request-changes.ts';
import { listRevisionChanges } from './list-revision-changes.ts';
import { presentChanges } from './present.ts';
import { changesShape } from './shapes.ts';

export const changeRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/revisions/:revisionId/changes', listRevisionChanges, {
    operationId: 'getRevisionSemanticChanges',
    shape: changesShape,
    present: presentChanges,
  }),
  route('GET', '/v1/spaces/:spaceId/change-requests/:changeRequestId/changes', listChangeRequestChanges, {
    operationId: 'getChangeRequestChanges',
    shape: changesShape,
    present: presentChanges,
  }),
];
