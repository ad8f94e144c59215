import { anyOf } from '../../../platform/database/any-of.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './issue-token.ts';
import { isOwnToken } from './own-tokens.ts';

/** The caller's own tokens by id, batched. Tokens of other users are not found. */
export const loadApiToken = rowLoader<ApiTokenRow>('api-token', (ctx, ids) =>
  ctx.db
    .selectFrom('api_token')
    .where('id', '=', anyOf(ids))
    .where(isOwnToken(ctx.actor, 'api_token'))
    .select(API_TOKEN_COLUMNS)
    .execute(),
);
