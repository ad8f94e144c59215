import { requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { ApiToken } from './entity.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './issue-token.ts';
import { ownsToken } from './own-tokens.ts';

const loadToken = entityLoader<ApiTokenRow & Pick<Row<'api_token'>, 'samlProviderId'>>(ApiToken, {
  fields: [...API_TOKEN_COLUMNS, 'samlProviderId'],
  isShown: ({ actor }, token) => ownsToken(actor, token),
});

/** The caller's own tokens by id, batched. Tokens of other users are not found. */
export async function loadApiToken(ctx: Context, id: string): Promise<ApiTokenRow | undefined> {
  requireUserId(ctx.actor);
  return loadToken(ctx, id);
}
