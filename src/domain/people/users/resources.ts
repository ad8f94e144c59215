import { scope } from '../../../platform/access/scopes.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { emailVerification } from './enums.ts';
import type { ApiTokenRow } from './issue-token.ts';
import { addressesOf, emailOf, type VisibleUser } from './load.ts';
import { tokenFields } from './token-fields.ts';

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
      "Email address: the verified one, otherwise the one that an organization has for the user. Null unless this is your account, or you can list the members of one of the user's organizations. An organization that has added the user by an address sees only that address until the user agrees.",
      ({ id, email }, ctx) => email ?? emailOf(ctx, id),
    ),
    unverifiedEmail: f.email.optional(
      'Email address that you have set and not verified yet. Shown only to you. Hidden in SSO sessions and from applications limited to some organizations.',
      async ({ id }, ctx) => (await addressesOf(ctx, id))?.unverifiedEmail,
    ),
    emailVerification: f
      .enum(emailVerification)
      .optional('Step that `unverifiedEmail` waits for. Null without an unverified address.', async ({ id }, ctx) => {
        if ((await addressesOf(ctx, id))?.unverifiedEmail == null) return null;
        return ctx.services.mailer ? 'sent' : 'awaits-operator';
      }),
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
  (f) => {
    const { label, ...times } = tokenFields(f);
    return {
      label,
      scopes: f
        .list(types.enum(scope))
        .optional(
          'Scopes that the token is restricted to. Null if it has all permissions of its user.',
          ({ scopes }) => scopes,
        ),
      ...times,
    };
  },
);
