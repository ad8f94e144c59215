import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { documentShape } from '../documents/index.ts';
import { fileShape } from '../files/index.ts';
import { pageShape } from '../pages/index.ts';
import { reusableContentShape } from '../reusable-contents/index.ts';
import { getComputedDocument } from './get-computed-document.ts';
import { getComputedRevision } from './get-computed-revision.ts';

const computedRevisionShape = z.object({
  pages: z.array(pageShape).describe('The pages at the top level, in order.'),
  files: z.array(fileShape).describe('The files that they use.'),
  reusableContents: z.array(reusableContentShape).describe('The reusable contents that they use.'),
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
    present: (computed) => computed,
  }),
];
