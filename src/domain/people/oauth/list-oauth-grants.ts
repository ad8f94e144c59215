import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { OAUTH_GRANT_COLUMNS, type OAuthGrantRow } from './load-grants.ts';

const grantsOfUser = listing<object, OAuthGrantRow>({
  name: 'user.oauthGrants',
  from: 'oauth_grant as g',
  select: sql.join(OAUTH_GRANT_COLUMNS.map((column) => sql.ref(`g.${column}`))),
  parent: 'userId',
  where: (_args, { ctx }) => [
    sql<boolean>`(${ssoOf(ctx.actor) === undefined}::boolean and g.expires_at > ${now(ctx)}::timestamptz)`,
  ],
  order: newestFirst,
});

const now = (ctx: { services: { clock(): Date } }) => ctx.services.clock().toISOString();

export const listOAuthGrants = query({
  name: 'listOAuthGrants',
  description:
    'Lists the applications that you have connected to your account with OAuth, newest first. None in an SSO session, which cannot connect any.',
  input: z.object({}),
  run: async (ctx) => grantsOfUser(ctx, requireUserId(ctx.actor), {}),
});
