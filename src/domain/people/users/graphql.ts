import { requireUserId, userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { lookup, orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { confirmUserEmail } from './confirm-user-email.ts';
import { createApiToken } from './create-api-token.ts';
import { createUser } from './create-user.ts';
import { ApiToken } from './entity.ts';
import { getUser } from './get-user.ts';
import { getViewer } from './get-viewer.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './issue-token.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { userFor } from './load.ts';
import { ownsToken } from './own-tokens.ts';
import { apiToken, user } from './resources.ts';
import { revokeApiToken } from './revoke-api-token.ts';
import { updateUser, userAfterUpdate } from './update-user.ts';
import { verifyEmail } from './verify-email.ts';

const ApiTokenType = typeOf(apiToken);
export const UserType = typeOf(user);

builder.objectFields(UserType, (t) => ({
  apiTokens: connection(t, {
    type: ApiTokenType,
    operation: listApiTokens,
    description: `${listApiTokens.description} FORBIDDEN for other users.`,
    nullable: true,
    without: [],
    from: () => ({}),
    list: (row, input, ctx) => readAsViewer(ctx, row.id, () => listApiTokens(ctx, input)),
  }),
}));

/** Reads a field that only the user can see. */
export function readAsViewer<Value>({ actor }: Context, userId: string, read: () => Value): Value {
  if (userIdOf(actor) === userId) return read();
  throw forbidden('Only the user can see this field. Select it on "viewer".');
}

registerNode(UserType, 'user', (ctx, id) => orNull(getUser(ctx, { userId: id })));
registerNode(ApiTokenType, 'token', loadApiToken);

readInGraph(getViewer);
builder.queryField('viewer', (t) =>
  t.field({
    type: UserType,
    nullable: true,
    description: 'The authenticated user. Null, with the error UNAUTHENTICATED, if the request has no token.',
    resolve: (_root, _args, ctx) => getViewer(ctx, {}),
  }),
);

lookup('user', getUser, UserType, { id: 'userId' });

mutation(createUser, {
  user: { type: UserType, description: 'The new user.', resolve: (user) => user },
});

mutation(updateUser, {
  user: {
    type: UserType,
    description: 'The updated user.',
    resolve: ({ userId }, ctx) => userAfterUpdate(ctx, userId),
  },
});

mutation(verifyEmail, {
  user: {
    type: UserType,
    description: 'You, with the verified address.',
    resolve: ({ userId }, ctx) => userFor(ctx, userId, 'view'),
  },
});

mutation(confirmUserEmail, {
  user: { type: UserType, description: 'The user with the verified address.', resolve: (user) => user },
});

mutation(createApiToken, {
  apiToken: { type: ApiTokenType, description: 'The new token.', resolve: ({ apiToken }) => apiToken },
  secret: {
    type: 'String',
    nullable: true,
    description:
      'The token to send as `Authorization: Bearer <secret>`. Returned only once: null if the mutation is repeated with the same idempotency key.',
    resolve: ({ secret }) => secret,
  },
});

mutation(revokeApiToken, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the revoked token. Null if you have no such token.',
    resolve: ({ deletedId }) => deletedId,
  },
  user: {
    type: UserType,
    nullable: true,
    description: 'You, the owner of the token. Null if nothing was revoked.',
    resolve: ({ userId }, ctx) => (userId === null ? null : userFor(ctx, userId, 'view')),
  },
});

const loadToken = entityLoader<ApiTokenRow & Pick<Row<'api_token'>, 'samlProviderId'>>(ApiToken, {
  fields: [...API_TOKEN_COLUMNS, 'samlProviderId'],
  isShown: ({ actor }, token) => ownsToken(actor, token),
});

/** The caller's own tokens by id, batched. Tokens of other users are not found. */
async function loadApiToken(ctx: Context, id: string): Promise<ApiTokenRow | undefined> {
  requireUserId(ctx.actor);
  return loadToken(ctx, id);
}
