import { accountRoutes } from './domain/people/account/web.ts';
import { inviteWebRoutes } from './domain/people/invites/web.ts';
import { oauthRoutes } from './domain/people/oauth/web.ts';
import { signInRoutes } from './domain/people/sso/web.ts';
import type { WebRoute } from './platform/http/web-route.ts';

/** Pages for people in browsers, with sessions. */
export const webRoutes: WebRoute[] = [...accountRoutes, ...signInRoutes, ...oauthRoutes, ...inviteWebRoutes];
