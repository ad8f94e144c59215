import { storedSecret } from '../../../../platform/secret-key/stored-secret.ts';

/** Keys of the translation providers of organizations. */
export const providerKey = storedSecret({
  table: 'translation_provider',
  column: 'api_key',
  key: { organizationId: 'organization_id' },
  place: ({ organizationId }) => `translation_provider ${organizationId}`,
  plural: 'keys of translation providers',
  name: 'key of the translation provider',
  remedy: 'Set it again with setTranslationProvider.',
});
