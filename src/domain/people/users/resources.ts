import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/urls.ts';
import type { ApiTokenRow } from './issue-token.ts';
import { emailOf, type VisibleUser } from './load.ts';

const userUrls = resource<VisibleUser>({ name: 'UserUrls', description: 'API URLs of a user.' }, (f) => ({
  location: f.url('URL of the user in the REST API.', ({ id }, ctx) => locationUrl(ctx, `/v1/users/${id}`)),
}));

export const user = resource<VisibleUser>(
  {
    name: 'User',
    object: 'user',
    node: 'user',
    isVersioned: true,
    description: 'A person with an account on this service.',
  },
  (f) => ({
    displayName: f.string('Name shown to other people.', ({ displayName }) => displayName),
    email: f.email.optional(
      'Email address. Null unless this is your account or you share an organization with the user.',
      ({ id, email }, ctx) => email ?? emailOf(ctx, id),
    ),
    photoUrl: f.url.optional('URL of the profile picture. Null if there is none.', ({ photoUrl }) => photoUrl, {
      rest: 'photoURL',
    }),
    createdAt: f.time('Time when the account was created.', ({ createdAt }) => createdAt, { rest: false }),
    urls: f.object(() => userUrls)('URLs of the user.', (row) => row),
  }),
);

export const apiToken = resource<ApiTokenRow>(
  {
    name: 'ApiToken',
    object: 'api-token',
    node: 'token',
    description: 'A personal access token. The secret is returned only once, when the token is created.',
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
  }),
);
