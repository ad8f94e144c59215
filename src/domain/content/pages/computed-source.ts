import { z } from 'zod';
import { isWithin, type Size, sizeOf } from '../../../lib/document/size.ts';
import { idOf } from '../../../platform/operation.ts';
import { lineOf } from '../../../platform/text.ts';

const id = (description: string) => lineOf(1, 200).describe(description);

const openApi = z.object({
  type: z.literal('builtin:openapi').describe('An API specification.'),
  props: z.looseObject({}).describe('What of it is shown.'),
  dependencies: z
    .object({
      spec: z
        .object({
          ref: z
            .object({ kind: z.literal('openapi').describe('What is named.'), spec: id('Slug of the specification.') })
            .describe('Names it.'),
        })
        .describe('The specification.'),
    })
    .describe('What it is computed from.'),
});

const translationRef = z
  .object({ kind: z.literal('translation').describe('What is named.'), translation: id('Id of the translation.') })
  .describe('Names it.');

const translation = z.object({
  type: z.literal('builtin:translation').describe('A translation of another space.'),
  props: z
    .looseObject({
      space: idOf('space').optional().describe('Of a document: the space that it is translated from.'),
      document: idOf('doc').optional().describe('Of a document: its id there.'),
    })
    .describe('What of it is shown.'),
  dependencies: z
    .object({ translation: z.object({ ref: translationRef }).optional().describe('The translation.') })
    .optional()
    .describe('What it is computed from.'),
});

const integration = z.object({
  type: lineOf(1, 200)
    .regex(/^integration:[^:]+:[^:]+$/, 'must be `integration:<name>:<source>` or a type that is built in.')
    .describe('A source of an integration: `integration:<name>:<source>`.'),
  props: z.looseObject({}).describe('What the integration is told.'),
  dependencies: z.looseObject({}).optional().describe('What it is computed from.'),
});

/** How much a source may be: values and texts of JSON, and lists and objects inside one another. */
const MOST: Size = { values: 1_000, characters: 30_000, depth: 10 };

/** How deep it is comes first: what is not deep can be written as JSON. */
const isBounded = (source: unknown) =>
  isWithin(sizeOf(source, MOST), MOST) && JSON.stringify(source).length <= MOST.characters;

/** Where content is computed from (schemas `ComputedContentSourceDocument` and `…Revision`). */
export const computedSource = z
  .union([openApi, translation, integration])
  .refine(isBounded, {
    error: `may have at most ${MOST.values} values, ${MOST.depth} levels and, as JSON, ${MOST.characters} characters`,
  })
  .describe('Where it is computed from: `{ type, props, dependencies }`.');

export type ComputedSource = z.output<typeof computedSource>;
