import { z } from 'zod';
import { anyMembers, countIn, idIn, namedShape } from '../../../platform/shapes.ts';
import { changeRequestShape } from '../../content/change-requests/index.ts';
import { reusableContentShape } from '../../content/reusable-contents/index.ts';

const changedPage = z
  .object({
    id: idIn('page'),
    type: z.enum(['document', 'group', 'link', 'computed']).describe('Its kind.'),
    title: z.string().describe('Its title.'),
    path: z.string().optional().describe('Its path; absent on links.'),
  })
  .describe('A page, as it is after the change or, when it was deleted, before.');

const changedFile = z
  .looseObject({
    id: idIn('file'),
    name: z.string().describe('Its name.'),
    contentType: z.string().describe('Its media type.'),
    downloadURL: z.string().describe('Where its bytes are.'),
  })
  .describe('A file, as it is after the change or, when it was deleted, before.');

const attributes = anyMembers('What differs, by name: `{ before, after }`, of which one may be absent.');

const typed = <Types extends [string, ...string[]]>(...types: Types) => z.enum(types).describe('What was done.');

const change = z
  .union([
    z.object({ type: typed('page_created', 'page_deleted'), page: changedPage }),
    z.object({ type: typed('page_edited'), page: changedPage, attributes }),
    z.object({
      type: typed('page_moved'),
      page: changedPage,
      parent: z
        .object({ before: changedPage.optional(), after: changedPage.optional() })
        .describe('The pages that it stood and stands under; absent at the top level.'),
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
      variables: anyMembers('What differs, by name: `{ before, after }`, of which one may be absent.'),
    }),
  ])
  .describe('One change.');

export const changesShape = namedShape('SemanticChanges', 'What differs between two revisions.', {
  mergedFrom: changeRequestShape
    .optional()
    .describe('The change request that the revision brought in; on a merge, where you may see that.'),
  changes: z.array(change).describe('The first of the changes: pages in their order, then everything else.'),
  more: countIn('How many further changes there are.'),
});
