import type { Context } from '../../../platform/context.ts';
import { listRoute, type RestInput, type Route, route } from '../../../platform/http/route.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { getRevision, listRevisions } from '../revisions/index.ts';
import { historyShape, presentInHistory, presentRevision, revisionShape } from './present.ts';

/** A revision never changes, apart from its git metadata; the head of a space does. */
const FOR_EVER = { 'cache-control': 'private, max-age=31536000, immutable', vary: 'authorization' };

const present = (revision: RevisionRow, ctx: Context, { query }: RestInput) =>
  presentRevision(revision, ctx, { metadata: query.metadata !== 'false' });

export const revisionRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/content', getRevision, {
    operationId: 'getCurrentRevision',
    shape: revisionShape,
    present,
  }),
  listRoute('/v1/spaces/:spaceId/revisions', listRevisions, {
    operationId: 'listRevisionsInSpace',
    shape: historyShape,
    present: presentInHistory,
  }),
  route('GET', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content', getRevision, {
    operationId: 'getRevisionOfChangeRequestById',
    shape: revisionShape,
    present,
  }),
  route('GET', '/v1/spaces/:spaceId/revisions/:revisionId', getRevision, {
    operationId: 'getRevisionById',
    shape: revisionShape,
    present,
    headers: () => FOR_EVER,
  }),
];
