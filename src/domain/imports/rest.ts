import { type Route, route } from '../../platform/http/route.ts';
import { locationUrl } from '../../platform/urls.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import type { ImportReport } from './import-input.ts';
import { importSpaceContent } from './import-space-content.ts';

/** REST's ImportContentResult, with the report on top. */
const presentImport = ({
  revisionId,
  importedResources,
  totalResources,
  report,
}: ImportReport & { spaceId: string; revisionId: string }) => ({
  revision: revisionId,
  importedResources,
  totalResources,
  report,
});

export const importRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/import', importSpaceContent, {
    operationId: 'importContent',
    status: 201,
    present: presentImport,
    headers: ({ spaceId, revisionId }, ctx) => ({
      location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${revisionId}`),
    }),
  }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/import', importChangeRequestContent, {
    operationId: 'importContentInChangeRequest',
    status: 201,
    present: presentImport,
    headers: ({ spaceId, revisionId }, ctx) => ({
      location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${revisionId}`),
    }),
  }),
];
