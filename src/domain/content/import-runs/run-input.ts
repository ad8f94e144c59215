import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { hasNoCredentials, NO_CREDENTIALS } from '../../../platform/shapes/web-address.ts';

/** A URL to read from. It is stored with the run and shown to all who can read it. */
export const sourceUrl = multilineText(1, 2048).refine(hasNoCredentials, NO_CREDENTIALS);

export const websiteUrl = sourceUrl.describe(
  'URL of the website. Pages at this URL and below it are read if robots.txt allows it.',
);

export const uploadIds = z
  .array(idOf('upload').describe('ID or URL of one of your uploads.'))
  .min(1)
  .max(50)
  .describe('IDs or URLs of 1 to 50 of your uploads: archives, exports, documents or pages, read in the given order.');

/** Source of an import run: exactly one of the properties. */
export const runSource = z
  .object({
    website: z
      .object({ url: websiteUrl })
      .meta({ inputName: 'ImportRunWebsiteInput', description: 'A website to import.' })
      .optional(),
    file: z
      .object({ uploadIds })
      .meta({ inputName: 'ImportRunFileInput', description: 'Uploaded files to import.' })
      .optional(),
  })
  .refine(({ website, file }) => (website === undefined) !== (file === undefined), {
    error: 'must have exactly one of website and file (in REST, "type": website or file).',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'ImportRunSourceInput',
    oneOf: true,
    description: 'Source of an import run. Exactly one field must be set.',
  });

export const runTarget = z
  .object({
    spaceId: idOf('space'),
    changeRequestId: idOf('cr')
      .nullish()
      .describe('ID of a change request of the space. Default: the primary content of the space.'),
    pageId: idOf('page')
      .nullish()
      .describe('ID of the page below which the imported pages are placed. Default: the top level.'),
  })
  .meta({
    inputName: 'ImportRunTargetInput',
    description: 'Space, change request and page that content is imported into.',
  });

export const enhance = z
  .boolean()
  .nullish()
  .describe('Accepted for compatibility and ignored. Imported content is never rewritten by a language model.');

export type RunSourceInput = z.output<typeof runSource>;
export type RunTarget = z.output<typeof runTarget>;
