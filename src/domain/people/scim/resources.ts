import { resource } from '../../../platform/resource/resource.ts';
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
    label: f.string('Label of the token, up to 50 characters.', ({ label }) => label),
    createdAt: f.time('Time when the token was created.', ({ createdAt }) => createdAt),
    expiresAt: f.time.optional(
      'Time when the token expires. Null if the token is valid until it is revoked.',
      ({ expiresAt }) => expiresAt,
    ),
    lastUsedAt: f.time.optional(
      'Time when the token was last used, accurate to the minute. Null if it was never used.',
      ({ lastUsedAt }) => lastUsedAt,
    ),
    baseUrl: f.url(
      'URL to enter at the identity provider as the base URL or tenant URL of SCIM.',
      ({ organizationId }, { services: { config } }) => `${config.publicUrl}/scim/v2/${organizationId}`,
      { rest: 'baseURL' },
    ),
  }),
);
