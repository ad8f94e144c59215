import { storedSecret } from '../../../../platform/secret-key/stored-secret.ts';

/** Client secrets of OIDC providers. */
export const clientSecret = storedSecret({
  table: 'saml_provider',
  column: 'client_secret',
  key: { id: 'id' },
  place: ({ id }) => `oidc client secret ${id}`,
  plural: 'client secrets of OIDC providers',
  name: 'client secret of the OIDC provider',
  remedy: 'Set it again with updateOidcProvider.',
});
