import { z } from 'zod';
import { isWithinSize, type Size, sizeOf } from '../../../lib/document/size.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { lineText } from '../../../platform/shapes/text.ts';

const id = (description: string) => lineText(1, 200).describe(description);

const openApi = z.object({
  type: z.literal('builtin:openapi').describe('An OpenAPI specification.'),
  props: z.looseObject({}).describe('Options of the source.'),
  dependencies: z
    .object({
      spec: z
        .object({
          ref: z
            .object({
              kind: z.literal('openapi').describe('Kind of the reference.'),
              spec: id('Slug of the specification.'),
            })
            .describe('Reference to the specification.'),
        })
        .describe('The specification.'),
    })
    .describe('Resources that the content is computed from.'),
});

const translationRef = z
  .object({
    kind: z.literal('translation').describe('Kind of the reference.'),
    translation: id('ID of the translation.'),
  })
  .describe('Reference to the translation.');

const translation = z.object({
  type: z.literal('builtin:translation').describe('A translation of another space.'),
  props: z
    .looseObject({
      space: idOf('space').optional().describe('ID of the space that the document is translated from.'),
      document: idOf('doc').optional().describe('ID of the document in the original space.'),
    })
    .describe('Options of the source.'),
  dependencies: z
    .object({ translation: z.object({ ref: translationRef }).optional().describe('The translation.') })
    .optional()
    .describe('Resources that the content is computed from.'),
});

const integration = z.object({
  type: lineText(1, 200)
    .regex(/^integration:[^:]+:[^:]+$/, 'must be `integration:<name>:<source>` or a built-in type.')
    .describe('A source provided by an integration: `integration:<name>:<source>`.'),
  props: z.looseObject({}).describe('Options that are passed to the integration.'),
  dependencies: z.looseObject({}).optional().describe('Resources that the content is computed from.'),
});

/** Limits for a source: the number of JSON values and characters, and the nesting depth. */
const MOST: Size = { values: 1_000, characters: 30_000, depth: 10 };

/** The depth is checked first, because JSON.stringify recurses. */
const isBounded = (source: unknown) =>
  isWithinSize(sizeOf(source, MOST), MOST) && JSON.stringify(source).length <= MOST.characters;

/** The source of computed content (schemas `ComputedContentSourceDocument` and `…Revision` of the GitBook API). */
export const computedSource = z
  .union([openApi, translation, integration])
  .refine(isBounded, {
    error: `must have at most ${MOST.values} values, ${MOST.depth} levels and, as JSON, ${MOST.characters} characters`,
  })
  .describe('Source of the computed content: `{ type, props, dependencies }`.');

export type ComputedSource = z.output<typeof computedSource>;
