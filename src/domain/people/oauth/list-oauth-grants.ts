import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { OAUTH_GRANT_COLUMNS, type OAuthGrantRow } from './load-grants.ts';
import { isOwnGrant } from './own-grants.ts';

const grantsOfUser = listing<object, OAuthGrantRow>({
  name: 'user.oauthGrants',
  from: 'oauth_grant as g',
  select: sql.join(OAUTH_GRANT_COLUMNS.map((column) => sql.ref(`g.${column}`))),
  parent: 'userId',
  where: (_args, { ctx }) => [isOwnGrant(ctx.actor, 'g'), sql<boolean>`g.expires_at > ${nowOf(ctx)}::timestamptz`],
  order: newestFirst,
});

export const listOAuthGrants = query({
  name: 'listOAuthGrants',
  description:
    'Lists the applications that you have connected to your account with OAuth, newest first. In an SSO session, only those that were connected with the same identity provider. An application that is limited to some of your organizations or spaces sees only itself.',
  input: z.object({}),
  run: async (ctx) => grantsOfUser(ctx, requireUserId(ctx.actor), {}),
});
