import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { getPageOutline } from './get-page-outline.ts';
import { getPageText } from './get-page-text.ts';
import { outline, pageText } from './resources.ts';

const HEAD = '/v1/spaces/:spaceId/content/page/:pageId';
const CHANGE_REQUEST = '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId';
const REVISION = '/v1/spaces/:spaceId/revisions/:revisionId/page/:pageId';

const text = { response: resourceResponse(pageText) };
const structure = { response: resourceResponse(outline) };

export const pageTextRoutes: Route[] = [
  route('GET', `${HEAD}/text`, getPageText, { operationId: 'getPageText', ...text }),
  route('GET', `${CHANGE_REQUEST}/text`, getPageText, { operationId: 'getPageTextInChangeRequest', ...text }),
  route('GET', `${REVISION}/text`, getPageText, { operationId: 'getPageTextInRevision', ...text }),
  route('GET', `${HEAD}/outline`, getPageOutline, { operationId: 'getPageOutline', ...structure }),
  route('GET', `${CHANGE_REQUEST}/outline`, getPageOutline, {
    operationId: 'getPageOutlineInChangeRequest',
    ...structure,
  }),
  route('GET', `${REVISION}/outline`, getPageOutline, { operationId: 'getPageOutlineInRevision', ...structure }),
];
