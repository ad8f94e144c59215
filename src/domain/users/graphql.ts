import { userIdOf } from '../../platform/access/actor.ts';
import type { Context } from '../../platform/context.ts';
import { forbidden } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { connection } from '../../platform/graphql/connection.ts';
import { readInGraph } from '../../platform/graphql/coverage.ts';
import { lookup, orNull } from '../../platform/graphql/lookup.ts';
import { mutation } from '../../platform/graphql/mutation.ts';
import { Node, registerNode } from '../../platform/graphql/node.ts';
import { versionField } from '../../platform/graphql/version-field.ts';
import { locationUrl } from '../../platform/urls.ts';
import { createApiToken } from './create-api-token.ts';
import { createUser } from './create-user.ts';
import { getUser } from './get-user.ts';
import { getViewer } from './get-viewer.ts';
import type { ApiTokenRow } from './issue-token.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { userFor, type VisibleUser } from './load.ts';
import { loadApiToken } from './load-api-token.ts';
import { revokeApiToken } from './revoke-api-token.ts';
import { updateUser } from './update-user.ts';

export const ApiTokenType = builder.objectRef<ApiTokenRow>('ApiToken').implement({
  description: 'A personal access token. Its secret is shown when it is made, and never again.',
  interfaces: [Node],
  fields: (t) => ({
    label: t.exposeString('label', { description: 'What it is for, up to 50 characters.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expires_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends; null when it holds until it is revoked.',
    }),
    lastUsedAt: t.expose('last_used_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null when it never was.',
    }),
  }),
});

const UserUrls = builder.objectRef<VisibleUser>('UserUrls').implement({
  description: 'Addresses of a user.',
  fields: (t) => ({
    location: t.field({
      type: 'URL',
      description: 'The user in REST.',
      resolve: ({ id }, _args, ctx) => locationUrl(ctx, `/v1/users/${id}`),
    }),
  }),
});

export const UserType = builder.objectRef<VisibleUser>('User').implement({
  description: 'A person with an account on this service.',
  interfaces: [Node],
  fields: (t) => ({
    displayName: t.exposeString('display_name', { description: 'The name to show.' }),
    email: t.expose('email', {
      type: 'EmailAddress',
      nullable: true,
      description: 'The e-mail address; null unless you share an organization with this user.',
    }),
    photoUrl: t.expose('photo_url', { type: 'URL', nullable: true, description: 'Address of a portrait.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When the account was made.' }),
    version: versionField(t),
    urls: t.field({ type: UserUrls, description: 'Addresses of this user.', resolve: (user) => user }),
    apiTokens: connection(t, {
      type: ApiTokenType,
      operation: listApiTokens,
      description: `${listApiTokens.description} FORBIDDEN on other users.`,
      nullable: true,
      without: [],
      from: () => ({}),
      list: (user, input, ctx) => ofViewer(ctx, user.id, () => listApiTokens(ctx, input)),
    }),
  }),
});

/** Reads what is shown to the user alone. */
export function ofViewer<Value>({ actor }: Context, userId: string, read: () => Value): Value {
  if (userIdOf(actor) === userId) return read();
  throw forbidden('This is shown to the user alone; ask for it on "viewer".');
}

registerNode('user', (ctx, id) => orNull(getUser(ctx, { userId: id })));
registerNode('token', loadApiToken);

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
    description: 'You, as you are now.',
    resolve: ({ userId }, ctx) => userFor(ctx, userId, 'view'),
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
});
