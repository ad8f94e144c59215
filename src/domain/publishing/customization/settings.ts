import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { customizationInput } from './customization.ts';

/** Maximum size of a customization, in characters of JSON. */
export const MAX_CUSTOMIZATION = 100_000;

const DESCRIBED =
  'as a JSON object with the members `title`, `styling`, `internationalization`, `favicon`, `header`, `footer`, `announcement`, `themes`, `pdf`, `feedback`, `ai`, `git`, `pageActions`, `externalLinks`, `pagination`, `trademark`, `privacyPolicy`, `socialPreview`, `socialAccounts` and `insights`';

export const CUSTOMIZATION_DESCRIPTION = `Appearance ${DESCRIBED}.`;

export const customizationObject = (description: string) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => JSON.stringify(value).length <= MAX_CUSTOMIZATION,
      `must be at most ${MAX_CUSTOMIZATION} characters`,
    )
    .meta({ scalar: 'JSONObject', description: `${description}, ${DESCRIBED}.` });

/** Validates a customization. The paths of issues begin with the member of the input that had it. */
export function parseCustomization(value: unknown, member: 'appearance' | 'customization' = 'customization') {
  const [parsed] = Object.values(parse(z.object({ [member]: customizationInput }), { [member]: value }));
  return parsed as z.output<typeof customizationInput>; // of the one member
}

/** BAD_USER_INPUT if a customization is too large to be stored. */
export function rejectLarge(stored: object, member: 'appearance' | 'customization'): void {
  const size = JSON.stringify(stored).length;
  if (size <= MAX_CUSTOMIZATION) return;
  const message = `would have ${size} characters with the stored members, and at most ${MAX_CUSTOMIZATION} are allowed. Set members to null that you do not need.`;
  throw badInput([member], message, 'TOO_LONG');
}

export const unmasked = z
  .boolean()
  .nullish()
  .describe('Whether to return settings as stored, including those without effect, such as `ai.mode`. Default false.');
