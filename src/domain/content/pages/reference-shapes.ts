import { z } from 'zod';
import { namedShape } from '../../../platform/shapes/shapes.ts';

/** A content reference. Not strict, because each kind has its own properties. */
export const referenceShape = z
  .looseObject({ kind: z.string().describe('Kind of the target: `page`, `file`, `url` and so on.') })
  .meta({ id: 'ContentReference', description: 'A reference to content or to a URL: `{ kind, … }`.' });

export const coverShape = z
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
