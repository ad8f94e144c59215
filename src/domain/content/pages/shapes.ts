import { z } from 'zod';
import { shapeOf } from '../../../platform/resource/rest.ts';
import { addressIn, idIn, namedShape, timeIn } from '../../../platform/shapes.ts';
import { documentShape } from '../documents/index.ts';
import { layout } from './layout.ts';

/** A content reference. Not strict, because each kind has its own properties. */
const referenceShape = z
  .looseObject({ kind: z.string().describe('Kind of the target: `page`, `file`, `url` and so on.') })
  .meta({ id: 'ContentReference', description: 'A reference to content or to a URL: `{ kind, … }`.' });

const coverShape = z
  .looseObject({
    ref: referenceShape.optional().describe('The image.'),
    refDark: referenceShape.optional().describe('The image for dark mode.'),
    yPos: z.number().describe('Vertical offset of the visible part of the image.'),
    height: z.number().optional().describe('Height in pixels.'),
  })
  .describe('Cover image of the page.');

export const metaLinksShape = namedShape(
  'PageMetaLinks',
  'Canonical and alternate URLs of a page for search engines.',
  {
    canonical: referenceShape.optional().describe('The canonical page or URL, if this page duplicates another one.'),
    alternates: z.array(referenceShape).describe('References to the same content in other languages or versions.'),
  },
);

const pageMembers = {
  id: idIn('page', 'ID of the page, the same in all revisions of its space.'),
  kind: z
    .enum(['sheet', 'group', 'link', 'computed'])
    .describe('Former name of `type`, with the value `sheet` for documents.'),
  type: z
    .enum(['document', 'group', 'link', 'computed'])
    .describe(
      'Type of the page: a page with a body, a heading that groups pages, a link, or a placeholder for computed pages.',
    ),
  title: z.string().describe('Title of the page.'),
  linkTitle: z.string().optional().describe('Shorter title for the page tree.'),
  slug: z.string().optional().describe('Last part of the path, unique among sibling pages. Left out for links.'),
  path: z.string().optional().describe('Slugs from the top level down to the page, joined by `/`. Left out for links.'),
  emoji: z.string().optional().describe('Emoji of the page, as a character or as a hexadecimal code point.'),
  icon: z.string().optional().describe('Name of the icon of the page.'),
  condition: z.string().optional().describe('Expression that decides which visitors of a site can see the page.'),
  hidden: z.boolean().optional().describe('Whether the page is left out of the tree of a published site.'),
  noIndex: z.boolean().optional().describe("Whether the page is excluded from the site's own search."),
  noRobotsIndex: z.boolean().optional().describe('Whether search engines are asked not to index the page.'),
  createdAt: timeIn('Time when the page was created.'),
  updatedAt: timeIn('Time when the fields or the body of the page last changed.'),
  description: z.string().optional().describe('Description of the page.'),
  layout: shapeOf(layout).optional().describe('Which parts of the page are shown, and how.'),
  tags: z.array(z.record(z.string(), z.unknown())).optional().describe('Tags of the page in their order.'),
  cover: coverShape.optional(),
  variables: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Variables that expressions on the page can use, by name.'),
  metaLinks: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Canonical and alternate URLs of the page for search engines.'),
  computed: z.record(z.string(), z.unknown()).optional().describe('Source of the computed content.'),
  computedSeed: z
    .string()
    .optional()
    .describe('Identifies the state of the source that the content was computed from.'),
  documentId: idIn('doc', 'ID of the body, if the page has one.').optional(),
  target: referenceShape.optional().describe('Target of the link.'),
  href: z.string().optional().describe('URL of the target. Null if the target is not a URL.'),
  urls: z
    .object({ app: addressIn('URL of a web page that explains how to read the page.') })
    .optional()
    .describe('URLs of the page.'),
};

/** A page as trees contain it, without its body. */
export const pageShape: z.ZodObject = z
  .object({
    ...pageMembers,
    get pages() {
      return z.array(pageShape).optional().describe('Child pages, in order. Only for documents and groups.');
    },
  })
  .meta({ id: 'Page', description: 'An entry in the page tree of a revision, with all pages below it.' });

export const pageTreeShape = z.object({ pages: z.array(pageShape).describe('Pages at the top level, in order.') });

export const pageWithBodyShape = namedShape('PageWithBody', 'A page with its body.', {
  ...pageMembers,
  pages: z.array(pageShape).optional().describe('Child pages, in order. Only for documents and groups.'),
  document: documentShape.optional().describe('Body as a document, if the request has `format=document`.'),
  markdown: z.string().optional().describe('Body as Markdown, if the request has `format=markdown`.'),
});
