import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { pageCoverSize, pageWidth } from './enums.ts';

/** Schemes that links may have. URLs of some other schemes, such as `javascript:`, execute code. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** A URL that links may lead to: an absolute URL with a safe scheme, or a path within the site. */
export const linkUrl = lineText(1, 2048)
  .refine(isHarmless, {
    error: 'must be a URL with http, https, mailto or tel, or a path that starts with "/" or "#".',
    ...withCode('INVALID_FORMAT'),
  })
  .describe('A URL, or a path within the site.');

function isHarmless(url: string): boolean {
  if (/^[/#](?!\/)/.test(url)) return true;
  return URL.canParse(url) && SCHEMES.has(new URL(url).protocol);
}

/** The id of the target of a reference. */
export const targetId = (description: string) => lineText(1, 200).describe(description);

const kind = <const Kind extends string>(name: Kind) => z.literal(name).describe('Kind of the target.');

const space = targetId(
  'ID of the space that contains the target. Default: the space of the content itself.',
).optional();

/** The target of a link page (schema `ContentRef` of the GitBook API). */
export const linkTarget = z.discriminatedUnion('kind', [
  z.object({ kind: kind('url'), url: linkUrl }),
  z.object({ kind: kind('page'), page: targetId('ID of the page.'), space }),
  z.object({
    kind: kind('anchor'),
    anchor: targetId('Name of the anchor.'),
    page: targetId('ID of the page.').optional(),
    space,
  }),
  z.object({ kind: kind('file'), file: targetId('ID of the file.'), space }),
  z.object({ kind: kind('space'), space: targetId('ID of the space.') }),
  z.object({ kind: kind('collection'), collection: targetId('ID of the collection.') }),
  z.object({ kind: kind('user'), user: targetId('ID of the user.') }),
  z.object({ kind: kind('reusable-content'), reusableContent: targetId('ID of the reusable content.'), space }),
  z.object({ kind: kind('openapi'), spec: targetId('Slug of the specification.') }),
]);

const metaLink = z
  .discriminatedUnion('kind', [
    z.object({ kind: kind('url'), url: linkUrl }),
    z.object({ kind: kind('page'), page: targetId('ID of the page.'), space }),
  ])
  .meta({ scalar: 'JSONObject' });

/** Links in the metadata of a page for search engines (schema `RevisionPageMetaLinks` of the GitBook API). */
export const pageMetaLinks = z.object({
  canonical: metaLink
    .optional()
    .describe('The canonical page that this page duplicates, as a reference such as `{ kind: "page", page }`.'),
  alternates: z
    .array(metaLink)
    .max(100)
    .optional()
    .describe('References to the same content in other languages or versions, up to 100.'),
});

const imageRef = z
  .discriminatedUnion('kind', [
    z.object({ kind: kind('file'), file: targetId('ID of the file.') }),
    z.object({ kind: kind('url'), url: linkUrl }),
  ])
  .meta({ scalar: 'JSONObject' });

/** The cover of a page. */
export const pageCover = z.object({
  ref: imageRef.optional().describe('Image of the cover: `{ kind: "file", file }` or `{ kind: "url", url }`.'),
  refDark: imageRef.optional().describe('Image for dark mode, in the same form. Default: the same image.'),
  yPos: z.number().min(-100_000).max(100_000).default(0).describe('Vertical offset of the visible part of the image.'),
  height: z.number().min(10).max(700).optional().describe('Height in pixels, 10 to 700. Default: 240.'),
});

/** The properties of a page's layout. */
export const layoutProperties = {
  width: pageWidth.describe('Width of the text. Default: the width that is configured for the site.'),
  cover: z.boolean().describe('Whether to show the cover. Default true.'),
  coverSize: pageCoverSize.describe('Size of the cover. Default: as wide as the text.'),
  coverMask: z.string().max(50).describe('Name of the mask over the cover, up to 50 characters. Default `none`.'),
  title: z.boolean().describe('Whether to show the title. Default true.'),
  description: z.boolean().describe('Whether to show the description. Default true.'),
  tableOfContents: z.boolean().describe('Whether to show the page tree. Default true.'),
  outline: z.boolean().describe('Whether to list the headings of the page. Default true.'),
  pagination: z.boolean().describe('Whether to link the next and the previous page. Default true.'),
  metadata: z.boolean().describe('Whether to show the time of the last change. Default true.'),
  tags: z.boolean().describe('Whether to show tags. Default true.'),
  actions: z.boolean().describe('Whether to offer actions. Default true.'),
  anchors: z.boolean().describe('Whether headings have links to themselves. Default true.'),
};

/** The layout of a page. Properties that are absent have their defaults. */
export const pageLayout = z.object(layoutProperties).partial();

const MAX_VARIABLES = 200;

/** Variables that expressions on a page can use. */
export const pageVariables = z
  .record(lineText(1, 100), z.union([lineText(0, 256), z.number(), z.boolean()]))
  .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, {
    error: `must have at most ${MAX_VARIABLES} variables.`,
    ...withCode('TOO_MANY'),
  });
