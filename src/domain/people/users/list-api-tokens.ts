import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './issue-token.ts';
import { isOwnToken } from './own-tokens.ts';

const tokensOfUser = listing<object, ApiTokenRow>({
  name: 'user.apiTokens',
  from: 'api_token as t',
  select: sql.join(API_TOKEN_COLUMNS.map((column) => sql.ref(`t.${column}`))),
  parent: 'userId',
  where: (_args, { ctx }) => [isOwnToken(ctx.actor, 't')],
  order: newestFirst,
});

export const listApiTokens = query({
  name: 'listApiTokens',
  description:
    'Lists your personal access tokens including expired ones, newest first. Their secrets are not stored. In an SSO session, only those that were created with the same identity provider.',
  input: z.object({}),
  run: async (ctx) => tokensOfUser(ctx, requireUserId(ctx.actor), {}),
});
