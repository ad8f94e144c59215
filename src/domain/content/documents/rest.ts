import { type Route, route } from '../../../platform/http/route.ts';
import { getDocument } from './get-document.ts';
import { documentShape } from './shape.ts';

/** A body never changes; whether the caller may read it does. */
const REVALIDATED = { 'cache-control': 'private, no-cache', vary: 'authorization' };

export const documentRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/documents/:documentId', getDocument, {
    operationId: 'getDocumentById',
    shape: documentShape,
    present: ({ body }) => body,
    headers: () => REVALIDATED,
  }),
];
