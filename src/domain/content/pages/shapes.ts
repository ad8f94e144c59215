import { z } from 'zod';
import { shapeOf } from '../../../platform/resource/rest.ts';
import { namedShape } from '../../../platform/shapes/shapes.ts';
import { documentShape } from '../documents/index.ts';
import { computedPage, documentPage, linkPage, pageNode } from './resources.ts';

/** The fields of a page of any kind. */
const pageFields = {
  ...shapeOf(computedPage).shape,
  ...shapeOf(linkPage).partial().shape,
  ...shapeOf(documentPage).partial().shape,
  ...shapeOf(pageNode).shape,
};

/** A page as trees contain it, without its body. */
export const pageShape: z.ZodObject = z
  .object({
    ...pageFields,
    get pages() {
      return z.array(pageShape).optional().describe('Child pages, in order. Only for documents and groups.');
    },
  })
  .meta({ id: 'Page', description: 'An entry in the page tree of a revision, with all pages below it.' });

export const pageTreeShape = z.object({ pages: z.array(pageShape).describe('Pages at the top level, in order.') });

export const pageWithBodyShape = namedShape('PageWithBody', 'A page with its body.', {
  ...pageFields,
  pages: z.array(pageShape).optional().describe('Child pages, in order. Only for documents and groups.'),
  document: documentShape.optional().describe('Body as a document, if the request has `format=document`.'),
  markdown: z
    .string()
    .optional()
    .describe(
      'Title and body as Markdown, if the request has `format=markdown`: `# <title>`, an empty line, and the body.',
    ),
});
