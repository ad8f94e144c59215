import type { Context } from '../../../platform/context.ts';
import { answering, listRoute, type RestInput, type Route, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { getRevision, listRevisions, revision } from '../revisions/index.ts';
import { wholeRevision } from './resources.ts';

/** A revision is immutable apart from its Git metadata, but the head of a space changes. */
const FOR_EVER = { 'cache-control': 'private, max-age=31536000, immutable', vary: 'authorization' };

const shown = {
  shape: () => shapeOf(wholeRevision),
  present: (row: RevisionRow, ctx: Context, { query }: RestInput) =>
    present(wholeRevision, query.metadata === 'false' ? { ...row, git: null } : row, ctx),
};

export const revisionRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/content', getRevision, { operationId: 'getCurrentRevision', ...shown }),
  listRoute('/v1/spaces/:spaceId/revisions', listRevisions, {
    operationId: 'listRevisionsInSpace',
    answers: answering(revision),
  }),
  route('GET', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content', getRevision, {
    operationId: 'getRevisionOfChangeRequestById',
    ...shown,
  }),
  route('GET', '/v1/spaces/:spaceId/revisions/:revisionId', getRevision, {
    operationId: 'getRevisionById',
    ...shown,
    headers: () => FOR_EVER,
  }),
];
