import { z } from 'zod';
import { addressIn, idIn, namedShape, objectIs } from '../../platform/shapes.ts';

const changedPage = z.object({
  object: objectIs('page'),
  id: idIn('page'),
  urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
});

const appliedChange = namedShape('AppliedChange', 'What a change did.', {
  object: z.enum(['created_page', 'updated_page', 'deleted_page']).describe('What became of the page.'),
  ref: z.string().optional().describe('The `ref` that the change gave.'),
  page: z.union([changedPage, z.string()]).describe('The page; of a deleted one its id alone.'),
});

export const appliedChanges = z.array(appliedChange).describe('What each change did, in their order.');

export const appliedShape = namedShape('ContentUpdate', 'What an edit did.', {
  revision: idIn('rev', 'The new revision.'),
  changes: appliedChanges,
});
