import { z } from 'zod';
import { namedEnum } from '../../platform/named-enum.ts';
import { idOf } from '../../platform/operation.ts';
import { lineOf, textOf } from '../../platform/text.ts';
import { documentInput } from '../documents/index.ts';
import { linkTarget, pageCover, pageLayout, pageVariables } from './page-fields.ts';

const newPageKind = namedEnum('NewPageKind', 'Kinds of pages that can be inserted.', {
  document: 'A page with a body.',
  group: 'A heading in the tree, with pages below it and no body. Top level only.',
  link: 'An entry in the tree that leads elsewhere.',
});

/** Names a page: its id, or the `ref` of a page inserted earlier in the same call. */
const pageRef = z.string().max(200).meta({ prefix: 'page' });

const position = z
  .object({
    beforeId: pageRef.nullish().describe('The sibling that it shall stand before.'),
    afterId: pageRef.nullish().describe('The sibling that it shall stand after.'),
    at: z.int().min(0).nullish().describe('The place among the siblings, from 0; beyond the last means last.'),
  })
  .refine((given) => Object.values(given).filter((value) => value != null).length <= 1, {
    error: 'give one of beforeId, afterId and at; none means last.',
  })
  .meta({
    inputName: 'PagePositionInput',
    description: 'A place among siblings: one of its members, or none for last.',
  });

/** The fields of a page that an edit may set. Absent leaves as it is; null removes. */
const pageFields = {
  slug: lineOf(0, 100).nullish().describe('Its part of the path, up to 100 characters. Null makes one from the title.'),
  description: textOf(0, 4000).nullish().describe('What the page is about, in a sentence or two.'),
  emoji: lineOf(0, 50).nullish().describe('An emoji, or its code point in hex.'),
  icon: lineOf(0, 50).nullish().describe('Name of an icon, up to 50 characters.'),
  linkTitle: lineOf(1, 100).nullish().describe('Shorter title for the tree, up to 100 characters.'),
  condition: lineOf(1, 1024).nullish().describe('Expression that decides which visitors of a site see the page.'),
  hidden: z.boolean().nullish().describe('Left out of the tree of a published site, still reachable.'),
  noIndex: z.boolean().nullish().describe("Left out of the site's own search."),
  noRobotsIndex: z.boolean().nullish().describe('Search engines are asked not to index it.'),
  layout: pageLayout
    .meta({
      scalar: 'JSONObject',
      description:
        'Which parts of the page are shown: `{ width, cover, coverSize, title, description, outline }` and more.',
    })
    .nullish(),
  cover: pageCover
    .meta({ scalar: 'JSONObject', description: 'Cover image: `{ ref, refDark, yPos, height }`.' })
    .nullish(),
  variables: pageVariables
    .meta({
      scalar: 'JSONObject',
      description: 'Values that expressions on the page may use: strings up to 256 characters, numbers, booleans.',
    })
    .nullish(),
  target: linkTarget
    .meta({
      scalar: 'JSONObject',
      description: 'Where a link page leads: a content reference such as `{ kind: "url", url }`.',
    })
    .nullish(),
};

const title = lineOf(1, 255).describe('Its title, 1 to 255 characters.');

const insertPage = z
  .object({
    kind: newPageKind.default('document').describe('The kind of page.'),
    title: title.default('Untitled'),
    ...pageFields,
    parentId: pageRef.nullish().describe('The page that it goes under; null or absent is the top level.'),
    position: position.nullish(),
    ref: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe('A name of your choice, by which later changes of the same call may mean this page.'),
    document: documentInput.nullish(),
  })
  .meta({ inputName: 'InsertPageInput', description: 'A new page.' });

const updatePage = z
  .object({
    pageId: pageRef.describe('The page, by id or by the `ref` of an earlier change.'),
    title: title.optional(),
    ...pageFields,
    document: documentInput.nullish(),
    parentId: pageRef.nullish().describe('Moves it under this page as well; null is the top level, absent stays.'),
    position: position.nullish(),
  })
  .meta({ inputName: 'UpdatePageInput', description: 'Changes of a page. Members that are absent stay as they are.' });

const movePage = z
  .object({
    pageId: pageRef.describe('The page, with everything below it.'),
    parentId: pageRef.nullish().describe('The page that it goes under; null is the top level, absent stays.'),
    position: position.nullish(),
  })
  .meta({ inputName: 'MovePageInput', description: 'Another place for a page.' });

const deletePage = z
  .object({ pageId: pageRef.describe('The page; everything below it goes too.') })
  .meta({ inputName: 'DeletePageInput', description: 'The removal of a page. Revisions before keep it.' });

/** One change of content: exactly one of its members. */
export const contentChange = z
  .object({
    insertPage: insertPage.optional(),
    updatePage: updatePage.optional(),
    movePage: movePage.optional(),
    deletePage: deletePage.optional(),
  })
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length === 1, {
    error:
      'give exactly one of insertPage, updatePage, movePage and deletePage (in REST, "operation": insert_page, update_page, move_page or delete_page).',
  })
  .meta({
    inputName: 'ContentChangeInput',
    oneOf: true,
    description: 'One change of content: exactly one of its members.',
  });

/** What both content operations take: changes in their order, all or none. */
export const contentChanges = {
  changes: z
    .array(contentChange)
    .min(1)
    .max(50)
    .describe('1 to 50 changes, applied in their order; all of them or none.'),
  baseRevisionId: idOf('rev')
    .nullish()
    .describe('Applies only while this is still the head; otherwise the answer is CONFLICT and nothing is changed.'),
};

export type ContentChange = z.output<typeof contentChange>;
export type InsertPage = z.output<typeof insertPage>;
export type UpdatePage = z.output<typeof updatePage>;
export type MovePage = z.output<typeof movePage>;
export type PagePosition = z.output<typeof position>;
