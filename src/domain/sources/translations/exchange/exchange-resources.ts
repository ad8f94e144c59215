import { resource } from '../../../../platform/resource/resource.ts';
import { contentPreview } from '../../../content/dry-runs/index.ts';
import { exchangeFormat } from '../enums.ts';
import type { ResolvedReview } from '../reviews/resolve-translation-review.ts';
import type { ExportedTranslation } from './export-translation.ts';
import type { ImportedEdits } from './import-translation-edits.ts';

const MEDIA_TYPES = { xliff: 'application/xliff+xml', tmx: 'application/x-tmx+xml' } as const;

export const exportedTranslation = resource<ExportedTranslation>(
  { name: 'TranslationExport', description: 'The segments of a translation as a file for other translation tools.' },
  (f) => ({
    format: f.enum(exchangeFormat)('Format of the file.', ({ format }) => format),
    mediaType: f.string('Media type of the file.', ({ format }) => MEDIA_TYPES[format]),
    fileName: f.string(
      'A name for the file.',
      ({ format, translation }) => `${translation.id}.${translation.language}.${format === 'tmx' ? 'tmx' : 'xlf'}`,
    ),
    content: f.string('The file, to be stored as UTF-8.', ({ content }) => content),
  }),
);

/** Description of the preview in both transports. */
export const IMPORT_PREVIEW_DESCRIPTION =
  'Changes that the command would make to the translated space or the change request. Only with `dryRun`: then nothing is changed.';

/** What REST answers to an import of edits. */
export const importedEdits = resource<ImportedEdits>(
  { name: 'ImportedTranslationEdits', description: 'Result of importing edits of a translation.' },
  (f) => ({
    count: f.count('Number of segments that were imported.', ({ count }) => count),
    changeRequest: f
      .id('cr')
      .optional(
        'ID of the change request with the imported translations. Absent if there is nothing to import, and with `dryRun` unless you have given one.',
        ({ changeRequestId }) => changeRequestId,
      ),
    preview: f.object(() => contentPreview).optional(IMPORT_PREVIEW_DESCRIPTION, ({ preview }) => preview),
  }),
);

/** What REST answers if the resolution of a review is only tried. */
export const triedResolution = resource<ResolvedReview>(
  { name: 'TriedReviewResolution', description: 'Changes that the resolution of a review would make.' },
  (f) => ({ preview: f.object(() => contentPreview).optional(IMPORT_PREVIEW_DESCRIPTION, ({ preview }) => preview) }),
);
