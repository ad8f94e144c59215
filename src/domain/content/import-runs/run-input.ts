import { z } from 'zod';
import { idOf } from '../../../platform/operation.ts';
import { textOf } from '../../../platform/text.ts';

export const websiteUrl = textOf(1, 2048).describe(
  'Address of the site: its pages at and below it are read, as its robots.txt lets them.',
);

export const uploadIds = z
  .array(idOf('upload').describe('An upload of yours, by its id or its address.'))
  .min(1)
  .max(50)
  .describe('1 to 50 uploads of yours that last: archives, exports, documents and pages, read in their order.');

/** What a run reads: exactly one of its members. */
export const runSource = z
  .object({
    website: z
      .object({ url: websiteUrl })
      .meta({ inputName: 'ImportRunWebsiteInput', description: 'A site.' })
      .optional(),
    file: z
      .object({ uploadIds })
      .meta({ inputName: 'ImportRunFileInput', description: 'Some uploads of yours.' })
      .optional(),
  })
  .refine(({ website, file }) => (website === undefined) !== (file === undefined), {
    error: 'give exactly one of website and file (in REST, "type": website or file).',
  })
  .meta({ inputName: 'ImportRunSourceInput', oneOf: true, description: 'What an import run reads.' });

/** Where it goes. */
export const runTarget = z
  .object({
    spaceId: idOf('space'),
    changeRequestId: idOf('cr').nullish().describe('A change request of the space; without one its primary content.'),
    pageId: idOf('page')
      .nullish()
      .describe('The page that the imported ones go below; without one they go to the top.'),
  })
  .meta({ inputName: 'ImportRunTargetInput', description: 'Where an import goes.' });

export const enhance = z
  .boolean()
  .nullish()
  .describe('Without effect: what is imported is never rewritten by a language model.');

export type RunSourceInput = z.output<typeof runSource>;
export type RunTarget = z.output<typeof runTarget>;
