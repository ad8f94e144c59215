import { accountRoutes } from './domain/people/account/web.ts';
import { emailRoutes } from './domain/people/account/web-email.ts';
import { passkeyWebRoutes } from './domain/people/account/web-passkeys.ts';
import { inviteWebRoutes } from './domain/people/invites/web.ts';
import { scimRoutes } from './domain/people/scim/web.ts';
import { signInRoutes } from './domain/people/sso/web.ts';
import type { WebRoute } from './platform/http/web-route.ts';

/** Pages for people in browsers, with sessions, and SCIM for identity providers. */
export const webRoutes: WebRoute[] = [
  ...accountRoutes,
  ...emailRoutes,
  ...passkeyWebRoutes,
  ...signInRoutes,
  ...inviteWebRoutes,
  ...scimRoutes,
];
