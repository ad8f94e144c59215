import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { hasNoCredentials, NO_CREDENTIALS, webAddress } from '../../../platform/shapes/web-address.ts';

/** Maximum number of specifications of an organization. */
export const MAX_SPECS = 1_000;

/** Versions of a specification that are kept. */
export const MAX_VERSIONS = 100;

/** Maximum length of a source given as text, in UTF-16 units. */
const MAX_TEXT = 8_000_000;

/** Maximum size of all files of a specification. */
export const MAX_SOURCE_BYTES = 20_000_000;

/** Maximum number of files of a specification. */
export const MAX_SPECIFICATION_FILES = 100;

export const specSlug = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lowercase letters and digits, in groups separated by single hyphens')
  .describe('Name of the specification in paths and content references, unique in the organization.');

export const specSource = z
  .object({
    url: webAddress()
      .refine(hasNoCredentials, NO_CREDENTIALS)
      .describe(
        'URL of the specification, up to 2,048 characters. It is fetched again every six hours. References to other ' +
          'files of the same origin are followed.',
      )
      .optional(),
    text: z
      .string()
      .min(1)
      .max(MAX_TEXT)
      .describe('The specification as JSON or YAML in a single file, up to 8,000,000 characters.')
      .optional(),
  })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), {
    error: 'must have exactly one of url and text.',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'OpenApiSpecSourceInput',
    oneOf: true,
    description:
      'Source of a specification: Swagger 2.0, or OpenAPI 3.0 to 3.2, of up to 20 MB in up to 100 files. Exactly one field ' +
      'must be set.',
  });

export type SpecSource = z.output<typeof specSource>;

/** Input that names an existing specification. */
export const specName = {
  organizationId: idOf('org'),
  slug: z.string().max(200).describe('Slug of the specification.'),
};
