import { requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { readAsViewer, UserType } from '../users/graphql.ts';
import { userFor } from '../users/index.ts';
import { OAuthGrant } from './entity.ts';
import { listOAuthGrants } from './list-oauth-grants.ts';
import { OAUTH_GRANT_COLUMNS, type OAuthGrantRow } from './load-grants.ts';
import { ownsGrant } from './own-grants.ts';
import { oauthGrant } from './resources.ts';
import { revokeOAuthGrant } from './revoke-oauth-grant.ts';

const OAuthGrantType = typeOf(oauthGrant);

builder.objectFields(UserType, (t) => ({
  oauthGrants: connection(t, {
    type: OAuthGrantType,
    operation: listOAuthGrants,
    description: `${listOAuthGrants.description} FORBIDDEN for other users.`,
    nullable: true,
    without: [],
    from: () => ({}),
    list: (row, input, ctx) => readAsViewer(ctx, row.id, () => listOAuthGrants(ctx, input)),
  }),
}));

registerNode(OAuthGrantType, 'oauthgrant', loadOAuthGrant);

mutation(revokeOAuthGrant, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the revoked grant. Null if you have no such grant.',
    resolve: ({ deletedId }) => deletedId,
  },
  user: {
    type: UserType,
    nullable: true,
    description: 'You. Null if nothing was revoked.',
    resolve: ({ userId }, ctx) => (userId === null ? null : userFor(ctx, userId, 'view')),
  },
});

const loadGrant = entityLoader<OAuthGrantRow>(OAuthGrant, {
  fields: [...OAUTH_GRANT_COLUMNS],
  isShown: ({ actor }, grant) => ownsGrant(actor, grant),
});

/** The caller's own grants by id, batched. Grants of other users are not found. */
async function loadOAuthGrant(ctx: Context, id: string): Promise<OAuthGrantRow | undefined> {
  requireUserId(ctx.actor);
  return loadGrant(ctx, id);
}
