import { listRoute, type Route, resourceAnswer, route } from '../../../platform/http/route.ts';
import { listOAuthGrants } from './list-oauth-grants.ts';
import { oauthGrant } from './resources.ts';
import { revokeOAuthGrant } from './revoke-oauth-grant.ts';

export const oauthGrantRoutes: Route[] = [
  listRoute('/v1/user/oauth-grants', listOAuthGrants, {
    operationId: 'listOAuthGrants',
    answers: resourceAnswer(oauthGrant),
  }),
  route('DELETE', '/v1/user/oauth-grants/:oauthGrantId', revokeOAuthGrant, { operationId: 'revokeOAuthGrant' }),
];
