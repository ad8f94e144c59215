import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { shapeOf } from '../../../platform/resource/rest.ts';
import { documentShape } from '../documents/index.ts';
import { file } from '../files/index.ts';
import { pageShape, presentPages } from '../pages/index.ts';
import { reusableContent } from '../reusable-contents/index.ts';
import { getComputedDocument } from './get-computed-document.ts';
import { getComputedRevision } from './get-computed-revision.ts';

const computedRevisionShape = () =>
  z.object({
    pages: z.array(pageShape).describe('Pages at the top level, in order.'),
    files: z.array(shapeOf(file)).describe('Files that the pages use.'),
    reusableContents: z.array(shapeOf(reusableContent)).describe('Reusable contents that the pages use.'),
  });

export const computedRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/computed/document', getComputedDocument, {
    operationId: 'getComputedDocument',
    shape: documentShape,
    present: ({ body }) => body,
  }),
  route('POST', '/v1/spaces/:spaceId/content/computed/revision', getComputedRevision, {
    operationId: 'getComputedRevision',
    shape: computedRevisionShape,
    present: async ({ pages, ...computed }, ctx) => ({ pages: await presentPages(pages, ctx), ...computed }),
  }),
];
