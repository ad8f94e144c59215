import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden } from '../../../platform/errors.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { lookup, orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { createApiToken } from './create-api-token.ts';
import { createUser } from './create-user.ts';
import { getUser } from './get-user.ts';
import { getViewer } from './get-viewer.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { userFor } from './load.ts';
import { loadApiToken } from './load-api-token.ts';
import { apiToken, user } from './resources.ts';
import { revokeApiToken } from './revoke-api-token.ts';
import { updateUser, userAfterUpdate } from './update-user.ts';

export const ApiTokenType = typeOf(apiToken);
export const UserType = typeOf(user);

builder.objectFields(UserType, (t) => ({
  apiTokens: connection(t, {
    type: ApiTokenType,
    operation: listApiTokens,
    description: `${listApiTokens.description} FORBIDDEN on other users.`,
    nullable: true,
    without: [],
    from: () => ({}),
    list: (row, input, ctx) => ofViewer(ctx, row.id, () => listApiTokens(ctx, input)),
  }),
}));

/** Reads what is shown to the user alone. */
export function ofViewer<Value>({ actor }: Context, userId: string, read: () => Value): Value {
  if (userIdOf(actor) === userId) return read();
  throw forbidden('This is shown to the user alone; ask for it on "viewer".');
}

registerNode(UserType, 'user', (ctx, id) => orNull(getUser(ctx, { userId: id })));
registerNode(ApiTokenType, 'token', loadApiToken);

readInGraph(getViewer);
builder.queryField('viewer', (t) =>
  t.field({
    type: UserType,
    nullable: true,
    description: 'You: the user whose token the request carries. Null, with UNAUTHENTICATED, without a token.',
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
    description: 'The user, as it is now.',
    resolve: ({ userId }, ctx) => userAfterUpdate(ctx, userId),
  },
});

mutation(createApiToken, {
  apiToken: { type: ApiTokenType, description: 'The new token.', resolve: ({ apiToken }) => apiToken },
  secret: {
    type: 'String',
    nullable: true,
    description:
      'The token itself, to be sent as `Authorization: Bearer <secret>`. Shown this once; null when an idempotency key is sent again.',
    resolve: ({ secret }) => secret,
  },
});

mutation(revokeApiToken, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'The id of the revoked token; null when you have none by that id.',
    resolve: ({ deletedId }) => deletedId,
  },
  user: {
    type: UserType,
    nullable: true,
    description: 'You, the owner of the token; null when nothing was revoked.',
    resolve: ({ userId }, ctx) => (userId === null ? null : userFor(ctx, userId, 'view')),
  },
});
