import { z } from 'zod';
import { shapeOf } from '../../../platform/resource/rest.ts';
import { countShape, idShape, jsonObjectShape, namedShape } from '../../../platform/shapes/shapes.ts';
import { changeRequest as changeRequestResource } from '../../content/change-requests/index.ts';
import { reusableContentShape } from '../../content/reusable-contents/index.ts';

const changedPage = z
  .object({
    id: idShape('page'),
    type: z.enum(['document', 'group', 'link', 'computed']).describe('Type of the page.'),
    title: z.string().describe('Title of the page.'),
    path: z.string().optional().describe('Path of the page. Left out for links.'),
  })
  .describe('The page after the change. For deleted pages, before the change.');

const changedFile = z
  .looseObject({
    id: idShape('file'),
    name: z.string().describe('Name of the file.'),
    contentType: z.string().describe('Media type of the file.'),
    downloadURL: z.string().describe('URL of the content of the file.'),
  })
  .describe('The file after the change. For deleted files, before the change.');

const attributes = jsonObjectShape(
  'Values that differ, by name, as `{ before, after }`. Values that do not exist are left out.',
);

const typed = <Types extends [string, ...string[]]>(...types: Types) => z.enum(types).describe('Type of the change.');

const change = z
  .union([
    z.object({ type: typed('page_created', 'page_deleted'), page: changedPage }),
    z.object({ type: typed('page_edited'), page: changedPage, attributes }),
    z.object({
      type: typed('page_moved'),
      page: changedPage,
      parent: z
        .object({ before: changedPage.optional(), after: changedPage.optional() })
        .describe('Previous and new parent page. Left out for the top level.'),
    }),
    z.object({ type: typed('file_created', 'file_deleted'), file: changedFile }),
    z.object({ type: typed('file_edited'), file: changedFile, attributes }),
    z.object({
      type: typed('reusable_content_created', 'reusable_content_deleted'),
      reusableContent: reusableContentShape,
    }),
    z.object({ type: typed('reusable_content_edited'), reusableContent: reusableContentShape, attributes }),
    z.object({
      type: typed('variables_edited'),
      variables: jsonObjectShape(
        'Values that differ, by name, as `{ before, after }`. Values that do not exist are left out.',
      ),
    }),
  ])
  .describe('A change.');

export const changesShape = namedShape('SemanticChanges', 'Changes between two revisions.', {
  mergedFrom: shapeOf(changeRequestResource)
    .optional()
    .describe('Change request that the revision merged. Only for merges, and if you can see the change request.'),
  changes: z
    .array(change)
    .describe('The first changes: pages in tree order, then files, reusable contents and variables.'),
  more: countShape('Number of further changes.'),
});
