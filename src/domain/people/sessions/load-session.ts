import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { ownsToken } from '../users/index.ts';
import { Session } from './entity.ts';

/** A session without its hash. */
export type SessionRow = Pick<
  Row<'session'>,
  'userId' | 'userAgent' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'samlProviderId' | 'apiTokenId'
> & { id: string };

export const SESSION_COLUMNS = [
  'id',
  'userId',
  'userAgent',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'samlProviderId',
  'apiTokenId',
] as const;

const load = entityLoader<SessionRow>(Session, {
  fields: SESSION_COLUMNS,
  isShown: (ctx, session) => ownsToken(ctx.actor, session) && session.expiresAt > nowOf(ctx),
});

/** The caller's own sessions by id, batched. Those of other users are not found. */
export async function loadSession(ctx: Context, id: string): Promise<SessionRow | undefined> {
  requireUserId(ctx.actor);
  return load(ctx, id);
}
