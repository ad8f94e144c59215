import { sql } from 'kysely';
import type { Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { compareVersion } from '../../../platform/version.ts';
import {
  absent,
  authorize,
  type Lock,
  levelOn,
  loadWithStanding,
  mayView,
  reaches,
  type Standing,
} from '../../people/access/index.ts';
import { RESTORABLE_MS } from './settings.ts';

/** A space with the caller's standing on it. */
export type SpaceRow = Row<'space'> & Standing;

/**
 * The space, if the caller may do this to it: 404 when it is absent or hidden, 403 when the role is too low. A deleted
 * space is absent, except to admins where `deleted` says so, and to everybody once it cannot be restored.
 */
export async function spaceFor(
  ctx: Context,
  id: string,
  wanted: Level | 'view',
  options: { lock?: Lock; deleted?: 'allowed' } = {},
): Promise<SpaceRow> {
  const found = await loadWithStanding<Row<'space'>>(ctx, 'space', id, options.lock);
  if (found?.deleted_at != null) {
    const isShown = options.deleted === 'allowed' && found.level === 'admin' && found.deleted_at > restorableSince(ctx);
    if (!isShown) throw absent(ctx, 'space', id);
  }
  return compareVersion(ctx, authorize(ctx, found, { what: 'space', id }, wanted), options);
}

/** Spaces by id, batched: those that `getSpace` would show. The others are as good as absent. */
export const loadSpace = rowLoader<Row<'space'>>('space', async (ctx, ids) => {
  const isKept = sql`s.deleted_at > ${restorableSince(ctx)}::timestamptz and ${reaches(levelOn.space(ctx.actor, 's'), 'admin')}`;
  const { rows } = await sql<Row<'space'>>`
    select s.* from space s
    where s.id = any(${ids}::text[])
      and case when s.deleted_at is null then ${mayView(ctx.actor, 's')} else ${isKept} end`.execute(ctx.db);
  return rows;
});

/** Spaces deleted since then can be restored. */
const restorableSince = (ctx: Context) => new Date(ctx.services.clock().getTime() - RESTORABLE_MS).toISOString();
