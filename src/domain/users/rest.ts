import { listRoute, type Route, route } from '../../platform/http/route.ts';
import { createApiToken } from './create-api-token.ts';
import { createUser } from './create-user.ts';
import { getUser } from './get-user.ts';
import { getViewer } from './get-viewer.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { apiTokenShape, newApiTokenShape, presentApiToken, presentUser, userShape } from './present.ts';
import { revokeApiToken } from './revoke-api-token.ts';
import { updateUser, userAfterUpdate } from './update-user.ts';

export const userRoutes: Route[] = [
  route('GET', '/v1/user', getViewer, { operationId: 'getAuthenticatedUser', shape: userShape, present: presentUser }),
  listRoute('/v1/user/tokens', listApiTokens, {
    operationId: 'listApiTokens',
    shape: apiTokenShape,
    present: presentApiToken,
  }),
  route('POST', '/v1/user/tokens', createApiToken, {
    operationId: 'createApiToken',
    status: 201,
    shape: newApiTokenShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: ({ apiToken, secret }) => ({ ...presentApiToken(apiToken), ...(secret !== null && { secret }) }),
  }),
  route('DELETE', '/v1/user/tokens/:tokenId', revokeApiToken, {
    operationId: 'revokeApiToken',
    rename: { tokenId: 'apiTokenId' },
  }),
  route('POST', '/v1/users', createUser, {
    operationId: 'createUser',
    status: 201,
    shape: userShape,
    present: presentUser,
  }),
  route('GET', '/v1/users/:userId', getUser, { operationId: 'getUserById', shape: userShape, present: presentUser }),
  route('PATCH', '/v1/users/:userId', updateUser, {
    operationId: 'updateUserById',
    shape: userShape,
    rename: { photoURL: 'photoUrl' },
    present: async ({ userId }, ctx) => presentUser(await userAfterUpdate(ctx, userId), ctx),
  }),
];
