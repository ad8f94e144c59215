import { z } from 'zod';
import { shapeOf } from '../../../platform/resource/rest.ts';
import { addressIn, idIn, namedShape, timeIn } from '../../../platform/shapes.ts';
import { documentShape } from '../documents/index.ts';
import { layout } from './layout.ts';

/** A content reference (decisions 2.13): open, since each kind has members of its own. */
const referenceShape = z
  .looseObject({ kind: z.string().describe('What it refers to: `page`, `file`, `url` and so on.') })
  .meta({ id: 'ContentReference', description: 'Refers to content by kind and id, or to an address: `{ kind, … }`.' });

const coverShape = z
  .looseObject({
    ref: referenceShape.optional().describe('The image.'),
    refDark: referenceShape.optional().describe('The image on dark ground.'),
    yPos: z.number().describe('Vertical offset of the part of the image that is shown.'),
    height: z.number().optional().describe('In pixels.'),
  })
  .describe('Cover image.');

export const metaLinksShape = namedShape('PageMetaLinks', 'What search engines are told of a page.', {
  canonical: referenceShape.optional().describe('The page that this one repeats; absent where it repeats none.'),
  alternates: z.array(referenceShape).describe('The same in other languages or versions.'),
});

const pageMembers = {
  id: idIn('page', 'Its id, the same in all revisions of its space.'),
  kind: z.enum(['sheet', 'group', 'link', 'computed']).describe('The older name of `type`; a document is a `sheet`.'),
  type: z
    .enum(['document', 'group', 'link', 'computed'])
    .describe('A page with a body, a heading in the tree, a link in it, or a place for computed pages.'),
  title: z.string().describe('What it is called.'),
  linkTitle: z.string().optional().describe('A shorter title for the tree.'),
  slug: z.string().optional().describe('Its part of the path; links have none.'),
  path: z.string().optional().describe('The slugs from the top down, joined by `/`; links have none.'),
  emoji: z.string().optional().describe('An emoji, or its code point in hex.'),
  icon: z.string().optional().describe('Name of an icon.'),
  condition: z.string().optional().describe('Expression that decides which visitors of a site see it.'),
  hidden: z.boolean().optional().describe('Left out of the tree of a published site.'),
  noIndex: z.boolean().optional().describe("Left out of the site's own search."),
  noRobotsIndex: z.boolean().optional().describe('Search engines are asked not to index it.'),
  createdAt: timeIn('When it was made.'),
  updatedAt: timeIn('When it was last changed.'),
  description: z.string().optional().describe('What a document is about.'),
  layout: shapeOf(layout).optional().describe('Which parts of a document are shown.'),
  tags: z.array(z.record(z.string(), z.unknown())).optional().describe('Tags of a document.'),
  cover: coverShape.optional(),
  variables: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Values that expressions on the page may use.'),
  metaLinks: z.record(z.string(), z.unknown()).optional().describe('Addresses that search engines are told.'),
  computed: z.record(z.string(), z.unknown()).optional().describe('Where it is computed from.'),
  computedSeed: z.string().optional().describe('Changes when what it is computed from does.'),
  documentId: idIn('doc', 'Id of the body; absent where the page has none.').optional(),
  target: referenceShape.optional().describe('Where a link leads.'),
  href: z.string().optional().describe('Where a link leads, when that is an address.'),
  urls: z
    .object({ app: addressIn('Where people read and edit it.') })
    .optional()
    .describe('Addresses of a document.'),
};

/** Without its body: as trees have it. */
export const pageShape: z.ZodObject = z
  .object({
    ...pageMembers,
    get pages() {
      return z.array(pageShape).optional().describe('The pages below it, in order; of documents and groups.');
    },
  })
  .meta({ id: 'Page', description: 'An entry in the page tree of a revision, with everything below it.' });

export const pageTreeShape = z.object({ pages: z.array(pageShape).describe('The pages at the top level, in order.') });

export const pageWithBodyShape = namedShape('PageWithBody', 'A page and its body in one of its two forms.', {
  ...pageMembers,
  pages: z.array(pageShape).optional().describe('The pages below it, in order; of documents and groups.'),
  document: documentShape.optional().describe('The body as a tree; with `format=document`.'),
  markdown: z.string().optional().describe('The body as Markdown; with `format=markdown`.'),
});
