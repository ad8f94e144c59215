import type { Context } from '../../platform/context.ts';
import { locationUrl } from '../../platform/urls.ts';
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
