import { scope } from '../../../platform/access/scopes.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import type { OAuthGrantRow } from './load-grants.ts';

export const oauthGrant = resource<OAuthGrantRow>(
  {
    name: 'OAuthGrant',
    object: 'oauth-grant',
    node: 'oauthgrant',
    description: 'An application that a user has connected to the account with OAuth, and what it can do.',
  },
  (f) => ({
    clientId: f.string(
      'Identifier of the application: the one of its registration, or the URL of its metadata document.',
      ({ clientId }) => clientId,
    ),
    clientName: f.string('Name that the application gave to itself.', ({ clientName }) => clientName),
    redirectTo: f.string.optional(
      'Host that the browser was sent to when the application was connected, or the URL scheme of an installed application. Null if it was connected with a device code.',
      ({ redirectTo }) => redirectTo,
    ),
    scopes: f.list(types.enum(scope))(
      'Scopes that the user has granted. The application never exceeds the permissions of the user.',
      ({ scopes }) => scopes,
    ),
    organizationIds: f
      .list(types.id('org'))
      .optional(
        'IDs of the organizations that the application is limited to: all others are as absent for it. Null if it reaches all organizations that you are a member of, also those that you join later.',
        ({ organizationIds }) => organizationIds,
      ),
    spaceIds: f
      .list(types.id('space'))
      .optional(
        'IDs of the spaces that the application is limited to. All belong to `organizationIds`. It can act only in them, and sees the titles of the organizations. Null if spaces do not limit it.',
        ({ spaceIds }) => spaceIds,
      ),
    createdAt: f.time('Time when the application was connected.', ({ createdAt }) => createdAt),
    lastUsedAt: f.time.optional(
      'Time when the application last used the account, accurate to the minute. Null if it never did.',
      ({ lastUsedAt }) => lastUsedAt,
    ),
    expiresAt: f.time('Time when the application has to be connected again.', ({ expiresAt }) => expiresAt),
  }),
);
