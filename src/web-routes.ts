import { accountRoutes } from './domain/people/account/web.ts';
import { emailRoutes } from './domain/people/account/web-email.ts';
import { passkeyWebRoutes } from './domain/people/account/web-passkeys.ts';
import { inviteWebRoutes } from './domain/people/invites/web.ts';
import { oauthRoutes } from './domain/people/oauth/web.ts';
import { scimRoutes } from './domain/people/scim/web.ts';
import { oidcSignInRoutes } from './domain/people/sso/oidc/web.ts';
import { instanceSignInRoutes } from './domain/people/sso/oidc/web-instance.ts';
import { signInRoutes } from './domain/people/sso/web.ts';
import { mcpRoutes } from './domain/service/mcp/web.ts';
import type { WebRoute } from './platform/http/web-route.ts';
import { routes } from './routes.ts';

/** Endpoints outside of REST and GraphQL, besides published sites: pages and forms, OAuth, SCIM and `/mcp`. */
export const webRoutes: WebRoute[] = [
  ...accountRoutes,
  ...emailRoutes,
  ...passkeyWebRoutes,
  ...signInRoutes,
  ...oauthRoutes,
  ...oidcSignInRoutes,
  ...instanceSignInRoutes,
  ...inviteWebRoutes,
  ...mcpRoutes(routes),
  ...scimRoutes,
];
