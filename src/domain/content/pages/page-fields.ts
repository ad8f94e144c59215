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

/** A page's cover (decisions 0.15). */
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

/** The properties of a page's layout. */
export const layoutProperties = {
  width: pageWidth.describe('Width of the text. Default `default`.'),
  cover: z.boolean().describe('Whether to show the cover. Default true.'),
  coverSize: pageCoverSize.describe('Size of the cover. Default `hero`.'),
  coverMask: z.string().max(50).describe('Mask over the cover. Default `none`.'),
  title: z.boolean().describe('Whether to show the title. Default true.'),
  description: z.boolean().describe('Whether to show the description. Default true.'),
  tableOfContents: z.boolean().describe('Whether to show the page tree. Default true.'),
  outline: z.boolean().describe('Whether to list the headings of the page. Default true.'),
  pagination: z.boolean().describe('Whether to link the next and the previous page. Default true.'),
  metadata: z.boolean().describe('Whether to show when the page was last changed. Default true.'),
  tags: z.boolean().describe('Whether to show tags. Default true.'),
  actions: z.boolean().describe('Whether to offer actions. Default true.'),
  anchors: z.boolean().describe('Whether headings link to themselves. Default true.'),
};

/** The layout of a page. Properties that are absent have their defaults. */
export const pageLayout = z.object(layoutProperties).partial();

const MAX_VARIABLES = 200;

/** Values that expressions may use (decisions 2.13). */
export const pageVariables = z
  .record(lineOf(1, 100), z.union([lineOf(0, 256), z.number(), z.boolean()]))
  .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, {
    error: `must hold at most ${MAX_VARIABLES} variables.`,
  });
