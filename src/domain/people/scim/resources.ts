import { resource } from '../../../platform/resource/resource.ts';
import { tokenFields } from '../users/index.ts';
import type { ScimTokenRow } from './load-scim-token.ts';

export const scimToken = resource<ScimTokenRow>(
  {
    name: 'ScimToken',
    object: 'scim-token',
    node: 'scimtoken',
    description:
      'A token with which an identity provider provisions members and teams of an organization by SCIM. The secret is returned only once, when the token is created.',
  },
  (f) => ({
    ...tokenFields(f),
    baseUrl: f.url(
      'URL to enter at the identity provider as the base URL or tenant URL of SCIM.',
      ({ organizationId }, { services: { config } }) => `${config.publicUrl}/scim/v2/${organizationId}`,
      { rest: 'baseURL' },
    ),
  }),
);
