import { uncodedText } from '../../../../lib/translation/coded-text.ts';
import { resource } from '../../../../platform/resource/resource.ts';
import type { UntranslatedRow } from './list-untranslated-pages.ts';
import type { TranslationReviewRow } from './review-access.ts';

export const translationReview = resource<TranslationReviewRow>(
  {
    name: 'TranslationReview',
    object: 'translation-review',
    node: 'translationreview',
    description: "A person's edit in a translation whose source has changed since.",
  },
  (f) => ({
    pageId: f.string('ID of the page or reusable content, the same in both spaces.', ({ pageId }) => pageId, {
      rest: 'page',
    }),
    source: f.string('Text of the source that the person translated.', ({ source }) => uncodedText(source)),
    translation: f.string('Translation that the person wrote.', ({ translation }) => translation),
    newSource: f.string.optional('Text of the source now. Null if it was removed.', ({ newSource }) => newSource),
    newTranslation: f.string.optional(
      'Text of the translation now. Null if the source was removed.',
      ({ newTranslation }) => newTranslation,
    ),
    createdAt: f.time('Time when a run found the edit.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when a run found that the source had changed.', ({ updatedAt }) => updatedAt),
  }),
);

export const untranslatedPage = resource<UntranslatedRow>(
  { name: 'UntranslatedPage', description: 'A page of a translation with texts that have no translation.' },
  (f) => ({
    pageId: f.string('ID of the page or reusable content, the same in both spaces.', ({ pageId }) => pageId, {
      rest: 'page',
    }),
    title: f.string('Title in the translation.', ({ title }) => title),
    segments: f.count('Number of its segments.', ({ segments }) => segments),
    untranslatedSegments: f.count('Number of segments without a translation.', (row) => row.untranslatedSegments),
  }),
);
