import { requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { OAuthGrant } from './entity.ts';
import { OAUTH_GRANT_COLUMNS, type OAuthGrantRow } from './load-grants.ts';
import { ownsGrant } from './own-grants.ts';

const loadGrant = entityLoader<OAuthGrantRow>(OAuthGrant, {
  fields: [...OAUTH_GRANT_COLUMNS],
  isShown: ({ actor }, grant) => ownsGrant(actor, grant),
});

/** The caller's own grants by id, batched. Grants of other users are not found. */
export async function loadOAuthGrant(ctx: Context, id: string): Promise<OAuthGrantRow | undefined> {
  requireUserId(ctx.actor);
  return loadGrant(ctx, id);
}
