import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './issue-token.ts';
import { isOwnToken } from './own-tokens.ts';

const tokensOfUser = listing<object, ApiTokenRow>({
  name: 'user.apiTokens',
  select: sql.join(API_TOKEN_COLUMNS.map((column) => sql.ref(`t.${column}`))),
  from: (userId, _args, { actor }) => sql`from api_token t where t.user_id = ${userId} and ${isOwnToken(actor, 't')}`,
  order: () => [
    { by: sql`t.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`t.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listApiTokens = query({
  name: 'listApiTokens',
  description:
    'Lists your personal access tokens including expired ones, newest first. Their secrets are not stored. In an SSO session, only those that were created with the same identity provider.',
  input: z.object({}),
  run: async (ctx) => tokensOfUser(ctx, requireUserId(ctx.actor), {}),
});
