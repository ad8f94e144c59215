import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { addressIn, idIn, namedShape, objectIs, timeIn, versionedShape } from '../../platform/shapes.ts';
import { locationUrl } from '../../platform/urls.ts';
import { VERSIONED } from '../../platform/version.ts';
import type { ApiTokenRow } from './issue-token.ts';
import type { VisibleUser } from './load.ts';

/** REST's User (specification 2.5). */
export const presentUser = (user: VisibleUser, ctx: Context) => ({
  object: 'user',
  id: user.id,
  displayName: user.display_name,
  ...(user.email === null ? {} : { email: user.email }),
  ...(user.photo_url === null ? {} : { photoURL: user.photo_url }),
  urls: { location: locationUrl(ctx, `/v1/users/${user.id}`) },
  [VERSIONED]: user,
});

export const userShape = versionedShape('User', 'A person with an account.', {
  object: objectIs('user'),
  id: idIn('user'),
  displayName: z.string().describe('The name to show.'),
  email: z.string().optional().describe('E-mail address, where you may see it.'),
  photoURL: addressIn('Address of a portrait.').optional(),
  urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
});

/** REST's personal access token (decisions 5). */
export const presentApiToken = (token: ApiTokenRow) => ({
  object: 'api-token',
  id: token.id,
  label: token.label,
  createdAt: token.created_at,
  ...(token.expires_at === null ? {} : { expiresAt: token.expires_at }),
  ...(token.last_used_at === null ? {} : { lastUsedAt: token.last_used_at }),
});

const apiTokenMembers = {
  object: objectIs('api-token'),
  id: idIn('token'),
  label: z.string().describe('What it is for.'),
  createdAt: timeIn('When it was made.'),
  expiresAt: timeIn('When it ends; without one it holds until it is revoked.').optional(),
  lastUsedAt: timeIn('When it was last used, to the minute.').optional(),
};

export const apiTokenShape = namedShape('ApiToken', 'A personal access token, without its secret.', apiTokenMembers);

export const newApiTokenShape = namedShape('NewApiToken', 'A personal access token that was just made.', {
  ...apiTokenMembers,
  secret: z
    .string()
    .optional()
    .describe('The token itself, shown this once; a repetition under an idempotency key does not show it.'),
});
