import type { Context } from '../../../platform/context.ts';
import { answering, type Route, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import { importSpaceContent } from './import-space-content.ts';
import { type Imported, importResult } from './resources.ts';

const created = {
  status: 201,
  answers: answering(importResult),
  headers: ({ spaceId, revisionId }: Imported, ctx: Context) => ({
    location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${revisionId}`),
  }),
};

export const importRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/import', importSpaceContent, { operationId: 'importContent', ...created }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/import', importChangeRequestContent, {
    operationId: 'importContentInChangeRequest',
    ...created,
  }),
];
