import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { listOAuthGrants } from './list-oauth-grants.ts';
import { oauthGrant } from './resources.ts';
import { revokeOAuthGrant } from './revoke-oauth-grant.ts';

export const oauthGrantRoutes: Route[] = [
  listRoute('/v1/user/oauth-grants', listOAuthGrants, {
    operationId: 'listOAuthGrants',
    response: resourceResponse(oauthGrant),
  }),
  route('DELETE', '/v1/user/oauth-grants/:oauthGrantId', revokeOAuthGrant, { operationId: 'revokeOAuthGrant' }),
];
