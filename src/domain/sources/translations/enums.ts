import type { z } from 'zod';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const translationStatus = namedEnum(
  'TranslationStatus',
  'Whether a run of a translation is queued, in progress or completed.',
  {
    pending: 'The first run has not been completed.',
    running: 'A run is queued or in progress.',
    completed: 'The latest run has written its result.',
  },
);

export const providerKind = namedEnum('TranslationProviderKind', 'Kinds of services that translate texts.', {
  embedded:
    'Pseudo-localization for testing, within the service: marks texts with accents and brackets, applies the glossary, and does not translate.',
  openai: 'A chat completions endpoint that is compatible with OpenAI.',
  deepl: 'The DeepL API.',
  libretranslate: 'A LibreTranslate server.',
});

export const reviewResolution = namedEnum(
  'TranslationReviewResolution',
  'Text that a page gets when a review of an edit is resolved.',
  {
    keep: "The person's translation, for the new source.",
    replace: 'The new translation, which is already on the page.',
    edit: 'Another text.',
  },
);

export const exchangeFormat = namedEnum('TranslationExportFormat', 'Formats of files for other translation tools.', {
  xliff: 'XLIFF 2.0: segments with their translations and states, to be worked on and imported again.',
  tmx: 'TMX 1.4b: a translation memory.',
});

export type TranslationStatus = z.infer<typeof translationStatus>;
export type ProviderKind = z.infer<typeof providerKind>;
