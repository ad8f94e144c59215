import { z } from 'zod';
import { contentChange, contentChanges } from './content-changes.ts';

// What `changesFromRest` translates, for the description.

const { insertPage, updatePage, movePage, deletePage } = contentChange.shape;

const page = z.string().max(200).describe('The page, by id or by the `ref` of an earlier change.');
const into = z
  .string()
  .max(200)
  .nullish()
  .describe('The page that it goes under; null is the top level, absent stays.');
const at = z.int().min(0).optional().describe('The place among the siblings, from 0; beyond the last means last.');
const { parentId: _, pageId: __, ...updated } = updatePage.unwrap().shape;
const { parentId: ___, kind, ...inserted } = insertPage.unwrap().shape;
const { parentId: ____, pageId: _____, ...moved } = movePage.unwrap().shape;

const change = z
  .union([
    z
      .object({ operation: z.literal('insert_page').describe('Makes a page.'), type: kind, into, at, ...inserted })
      .meta({ id: 'InsertPageChange', description: insertPage.unwrap().description }),
    z
      .object({ operation: z.literal('update_page').describe('Changes a page.'), page, into, at, ...updated })
      .meta({ id: 'UpdatePageChange', description: updatePage.unwrap().description }),
    z
      .object({ operation: z.literal('move_page').describe('Moves a page.'), page, into, at, ...moved })
      .meta({ id: 'MovePageChange', description: movePage.unwrap().description }),
    z
      .object({ operation: z.literal('delete_page').describe('Removes a page.'), page })
      .meta({ id: 'DeletePageChange', description: deletePage.unwrap().description }),
  ])
  .meta({ id: 'ContentChange', description: 'One change of content; `operation` says which.' });

/** The body of both content updates. */
export const contentBody = z.object({
  changes: z
    .array(change)
    .min(1)
    .max(50)
    .describe(contentChanges.changes.description ?? ''),
  baseRevision: contentChanges.baseRevisionId,
});
