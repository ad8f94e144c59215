import { publicForm } from '../../../lib/document/public-form.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { documentShape } from '../documents/index.ts';
import { documentQuery, readDocumentQuery } from '../rendering/index.ts';
import { getReusableContent } from './get-reusable-content.ts';
import { listReusableContents } from './list-reusable-contents.ts';
import { renderReusableContent } from './render-reusable-content.ts';
import { reusableContent } from './resources.ts';

const HEAD = '/v1/spaces/:spaceId/content/reusable-contents';
const REVISION = '/v1/spaces/:spaceId/revisions/:revisionId/reusable-contents';
const CHANGE_REQUEST = '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/reusable-contents';

const common = { response: resourceResponse(reusableContent) };

export const reusableContentRoutes: Route[] = [
  listRoute(HEAD, listReusableContents, { operationId: 'listReusableContents', ...common }),
  listRoute(REVISION, listReusableContents, { operationId: 'listReusableContentsInRevisionById', ...common }),
  listRoute(CHANGE_REQUEST, listReusableContents, { operationId: 'listReusableContentsInChangeRequest', ...common }),
  route('GET', `${HEAD}/:reusableContentId`, getReusableContent, { operationId: 'getReusableContentById', ...common }),
  route('GET', `${REVISION}/:reusableContentId`, getReusableContent, {
    operationId: 'getReusableContentInRevisionById',
    ...common,
  }),
  route('GET', `${CHANGE_REQUEST}/:reusableContentId`, getReusableContent, {
    operationId: 'getReusableContentInChangeRequestById',
    ...common,
  }),
  route('GET', `${REVISION}/:reusableContentId/document`, getReusableContent, {
    operationId: 'getReusableContentDocumentInRevisionById',
    description: 'Gets the body of a reusable content of a revision as a document.',
    shape: documentShape,
    query: documentQuery,
    present: async (row, ctx, { query }) => publicForm(await renderReusableContent(ctx, row, readDocumentQuery(query))),
  }),
];
