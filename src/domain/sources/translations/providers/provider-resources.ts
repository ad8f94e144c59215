import { resource } from '../../../../platform/resource/resource.ts';
import { providerKind } from '../enums.ts';
import type { TranslationProviderRow } from './provider-settings.ts';

const providerUsage = resource<TranslationProviderRow>(
  {
    name: 'TranslationUsage',
    description: 'Text that an organization has sent to translation providers in a calendar month (UTC).',
  },
  (f) => ({
    month: f.string('The month: `2026-01`.', ({ month }) => month),
    requests: f.count('Number of answered requests.', ({ requests }) => requests),
    segments: f.count('Number of segments.', ({ segments }) => segments),
    characters: f.count('Number of characters.', ({ characters }) => characters),
  }),
);

export const translationProvider = resource<TranslationProviderRow>(
  {
    name: 'TranslationProvider',
    object: 'translation-provider',
    description: 'The provider that the translations of an organization use.',
  },
  (f) => ({
    kind: f.enum(providerKind)('Kind of the provider.', ({ kind }) => kind),
    isDefault: f.boolean(
      "Whether it is the service's provider. Its URL, model and key are not shown.",
      (row) => row.isDefault,
    ),
    url: f.url.optional(
      "URL of the API. Null for the service's provider and for the public API of the kind.",
      ({ url }) => url,
    ),
    model: f.string.optional(
      "Model. Null for the service's provider, and for kinds without models.",
      ({ model }) => model,
    ),
    hasApiKey: f.boolean('Whether the organization has set a key.', ({ hasApiKey }) => hasApiKey),
    hasUnreadableSecret: f.boolean(
      "Whether that key cannot be read because the service's secret key was lost. Translations then fail until `setTranslationProvider` sets the key again.",
      (row) => row.hasUnreadableSecret,
    ),
    characterLimit: f.count.optional(
      'Maximum number of characters that are sent in a calendar month. Null for no limit.',
      ({ characterLimit }) => characterLimit,
    ),
    usage: f.object(() => providerUsage)('Usage in this calendar month.', (row) => row),
  }),
);
