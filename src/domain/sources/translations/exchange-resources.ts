import { resource } from '../../../platform/resource/resource.ts';
import { exchangeFormat } from './enums.ts';
import type { ExportedTranslation } from './export-translation.ts';

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
