import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { createScimToken } from './create-scim-token.ts';
import { listScimTokens } from './list-scim-tokens.ts';
import { scimToken } from './resources.ts';
import { revokeScimToken } from './revoke-scim-token.ts';

const TOKENS = '/v1/orgs/:organizationId/scim-tokens';

const newScimTokenShape = () =>
  shapeOf(scimToken)
    .extend({ secret: z.string().optional().describe('The token itself, returned only in this response.') })
    .meta({ id: 'NewScimToken', description: 'A SCIM token that was just created.' });

export const scimTokenRoutes: Route[] = [
  listRoute(TOKENS, listScimTokens, {
    operationId: 'listScimTokensInOrganization',
    response: resourceResponse(scimToken),
  }),
  route('POST', TOKENS, createScimToken, {
    operationId: 'createScimTokenInOrganization',
    status: 201,
    shape: newScimTokenShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: async ({ scimToken: token, secret }, ctx) => ({
      ...(await present(scimToken, token, ctx)),
      ...(secret !== null && { secret }),
    }),
  }),
  route('DELETE', `${TOKENS}/:scimTokenId`, revokeScimToken, { operationId: 'revokeScimTokenInOrganization' }),
];
