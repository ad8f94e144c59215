import { z } from 'zod';
import { lineOf } from '../../../platform/text.ts';
import { pageCoverSize, pageWidth } from './enums.ts';

/** Schemes of addresses that a reader may be sent to; no other, since some of them run what they hold. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** An address that a link may lead to: absolute with a harmless scheme, or within the site. */
const linkUrl = lineOf(1, 2048)
  .refine(isHarmless, {
    error: 'must be an address with http, https, mailto or tel, or a path that begins with "/" or "#".',
  })
  .describe('An address, or a path within the site.');

function isHarmless(url: string): boolean {
  if (/^[/#](?!\/)/.test(url)) return true;
  return URL.canParse(url) && SCHEMES.has(new URL(url).protocol);
}

const id = (description: string) => lineOf(1, 200).describe(description);

const kind = <const Kind extends string>(name: Kind) => z.literal(name).describe('What it refers to.');

const space = id('The space that it is in; this one when absent.').optional();

/** What a link page leads to (schema `ContentRef`). */
export const linkTarget = z.discriminatedUnion('kind', [
  z.object({ kind: kind('url'), url: linkUrl }),
  z.object({ kind: kind('page'), page: id('Id of the page.'), space }),
  z.object({
    kind: kind('anchor'),
    anchor: id('Name of a place in a page.'),
    page: id('Id of the page.').optional(),
    space,
  }),
  z.object({ kind: kind('file'), file: id('Id of the file.'), space }),
  z.object({ kind: kind('space'), space: id('Id of the space.') }),
  z.object({ kind: kind('collection'), collection: id('Id of the collection.') }),
  z.object({ kind: kind('user'), user: id('Id of the user.') }),
  z.object({ kind: kind('reusable-content'), reusableContent: id('Id of the content.'), space }),
  z.object({ kind: kind('openapi'), spec: id('Slug of the specification.') }),
]);

const metaLink = z
  .discriminatedUnion('kind', [
    z.object({ kind: kind('url'), url: linkUrl }),
    z.object({ kind: kind('page'), page: id('Id of the page.'), space }),
  ])
  .meta({ scalar: 'JSONObject' });

/** What search engines are told of a page (schema `RevisionPageMetaLinks`). */
export const pageMetaLinks = z.object({
  canonical: metaLink
    .optional()
    .describe('The page that this one repeats: a reference such as `{ kind: "page", page }`.'),
  alternates: z.array(metaLink).max(100).optional().describe('The same in other languages or versions, up to 100.'),
});

const imageRef = z
  .discriminatedUnion('kind', [
    z.object({ kind: kind('file'), file: id('Id of the file.') }),
    z.object({ kind: kind('url'), url: linkUrl }),
  ])
  .meta({ scalar: 'JSONObject' });

/** A page's cover. */
export const pageCover = z.object({
  ref: imageRef.optional().describe('The image: `{ kind: "file", file }` or `{ kind: "url", url }`.'),
  refDark: imageRef.optional().describe('The image on dark ground, likewise.'),
  yPos: z
    .number()
    .min(-100_000)
    .max(100_000)
    .default(0)
    .describe('Vertical offset of the part of the image that is shown.'),
  height: z.number().min(10).max(700).optional().describe('In pixels.'),
});

/** Which parts of a page are shown; what is absent has its default. */
export const pageLayout = z
  .object({
    width: pageWidth.describe('How wide the text is.'),
    cover: z.boolean().describe('Whether the cover is shown.'),
    coverSize: pageCoverSize.describe('How large the cover is.'),
    coverMask: z.string().max(50).describe('What is laid over the cover.'),
    title: z.boolean().describe('Whether the title is shown.'),
    description: z.boolean().describe('Whether the description is shown.'),
    tableOfContents: z.boolean().describe('Whether the tree of pages is shown.'),
    outline: z.boolean().describe('Whether the headings of the page are listed.'),
    pagination: z.boolean().describe('Whether the next and the previous page are linked.'),
    metadata: z.boolean().describe('Whether it says when the page was changed.'),
    tags: z.boolean().describe('Whether tags are shown.'),
    actions: z.boolean().describe('Whether actions are offered.'),
    anchors: z.boolean().describe('Whether headings have links to themselves.'),
  })
  .partial();

const MAX_VARIABLES = 200;

/** Values that expressions may use. */
export const pageVariables = z
  .record(lineOf(1, 100), z.union([lineOf(0, 256), z.number(), z.boolean()]))
  .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, {
    error: `must hold at most ${MAX_VARIABLES} variables.`,
  });
