import { withCode } from '../../../lib/validation/issue-code.ts';
import { type AppearanceInput, appearanceInput } from './appearance-input.ts';
import { customizationFrom } from './from-appearance.ts';
import { customizationObject } from './settings.ts';

/** Members of inputs with an appearance: with a type for each part, or as JSON, as REST has it. */
export const customizationMembers = (description: string, nulls: string) => ({
  appearance: appearanceInput.nullish().describe(`${description}. ${nulls}`),
  customization: customizationObject(description)
    .meta({ deprecationReason: 'Use `appearance`, which has a type.' })
    .nullish(),
});

interface Given {
  appearance?: AppearanceInput | null | undefined;
  customization?: Record<string, unknown> | null | undefined;
}

export const isOneForm = ({ appearance, customization }: Given) => (appearance == null) !== (customization == null);

export const ONE_FORM = {
  error: 'Pass exactly one of appearance and customization.',
  path: ['appearance'],
  ...withCode('ONE_OF'),
};

/** The customization in JSON, and the member of the input that had it. */
export function readGivenCustomization({ appearance, customization }: Given) {
  return appearance
    ? { member: 'appearance' as const, json: customizationFrom(appearance) }
    : { member: 'customization' as const, json: customization ?? {} };
}
