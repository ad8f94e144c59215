import { type Route, route } from '../../../platform/http/route.ts';
import { countIn, idIn, namedShape } from '../../../platform/shapes.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import type { ImportReport } from './import-input.ts';
import { importSpaceContent } from './import-space-content.ts';
import { reportMembers } from './present.ts';

/** REST's ImportContentResult, with the report on top. */
const presentImport = ({
  revisionId,
  importedResources,
  totalResources,
  keptCount,
  changedCount,
  droppedCount,
  report,
}: ImportReport & { spaceId: string; revisionId: string }) => ({
  revision: revisionId,
  importedResources,
  totalResources,
  keptCount,
  changedCount,
  droppedCount,
  report,
});

const importShape = namedShape('ImportResult', 'What an import did.', {
  revision: idIn('rev', 'The revision that it wrote.'),
  importedResources: countIn('How many pages and files were taken.'),
  totalResources: countIn('How many pages and files there were.'),
  ...reportMembers,
});

export const importRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/import', importSpaceContent, {
    operationId: 'importContent',
    shape: importShape,
    status: 201,
    present: presentImport,
    headers: ({ spaceId, revisionId }, ctx) => ({
      location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${revisionId}`),
    }),
  }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/import', importChangeRequestContent, {
    operationId: 'importContentInChangeRequest',
    shape: importShape,
    status: 201,
    present: presentImport,
    headers: ({ spaceId, revisionId }, ctx) => ({
      location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${revisionId}`),
    }),
  }),
];
