import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { confirmUserEmail } from './confirm-user-email.ts';
import { createApiToken } from './create-api-token.ts';
import { createUser } from './create-user.ts';
import { getUser } from './get-user.ts';
import { getViewer } from './get-viewer.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { userFor } from './load.ts';
import { apiToken, user } from './resources.ts';
import { revokeApiToken } from './revoke-api-token.ts';
import { updateUser, userAfterUpdate } from './update-user.ts';
import { verifyEmail } from './verify-email.ts';

const newApiTokenShape = () =>
  shapeOf(apiToken)
    .extend({ secret: z.string().optional().describe('The token itself, returned only in this response.') })
    .meta({ id: 'NewApiToken', description: 'A personal access token that was just created.' });

export const userRoutes: Route[] = [
  route('GET', '/v1/user', getViewer, { operationId: 'getAuthenticatedUser', response: resourceResponse(user) }),
  listRoute('/v1/user/tokens', listApiTokens, { operationId: 'listApiTokens', response: resourceResponse(apiToken) }),
  route('POST', '/v1/user/tokens', createApiToken, {
    operationId: 'createApiToken',
    status: 201,
    shape: newApiTokenShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: async ({ apiToken: token, secret }, ctx) => ({
      ...(await present(apiToken, token, ctx)),
      ...(secret !== null && { secret }),
    }),
  }),
  route('DELETE', '/v1/user/tokens/:tokenId', revokeApiToken, {
    operationId: 'revokeApiToken',
    rename: { tokenId: 'apiTokenId' },
  }),
  route('POST', '/v1/user/email/verify', verifyEmail, {
    operationId: 'verifyEmail',
    mayBeAbsent: true,
    response: resourceResponse(user, ({ userId }, ctx) => userFor(ctx, userId, 'view')),
  }),
  route('POST', '/v1/users/:userId/confirm-email', confirmUserEmail, {
    operationId: 'confirmUserEmail',
    response: resourceResponse(user),
  }),
  route('POST', '/v1/users', createUser, { operationId: 'createUser', status: 201, response: resourceResponse(user) }),
  route('GET', '/v1/users/:userId', getUser, { operationId: 'getUserById', response: resourceResponse(user) }),
  route('PATCH', '/v1/users/:userId', updateUser, {
    operationId: 'updateUserById',
    rename: { photoURL: 'photoUrl' },
    response: resourceResponse(user, ({ userId }, ctx) => userAfterUpdate(ctx, userId)),
  }),
];
