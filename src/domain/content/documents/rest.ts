import { publicForm } from '../../../lib/document/public-form.ts';
import { immutableTag, REVALIDATED } from '../../../platform/http/conditional-requests.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { getDocument } from './get-document.ts';
import { documentShape } from './shape.ts';

export const documentRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/documents/:documentId', getDocument, {
    operationId: 'getDocumentById',
    shape: documentShape,
    present: async (document) => publicForm((await document.read()).body),
    // A body is immutable, but the caller's access to it is not.
    headers: () => REVALIDATED,
    etag: ({ determinedBy }, ctx) => immutableTag(ctx, ...determinedBy),
  }),
];
