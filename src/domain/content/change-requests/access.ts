import { type RawBuilder, sql } from 'kysely';
import type { Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { compareVersion } from '../../../platform/version.ts';
import {
  authorize,
  type Loaded,
  type Lock,
  levelOn,
  needs,
  reaches,
  type Standing,
} from '../../people/access/index.ts';

export type ChangeRequestRow = Row<'change_request'>;

/**
 * The change request, if the caller's level on its space reaches what is wanted: 404 when it is absent or the space is
 * not theirs to read, 403 when the level is too low. A published site shows a space, never its change requests. A number
 * names one within `spaceId` only, and an id must belong to that space where one is given. Lock the space before the
 * change request (docs/data-model.md, Locks).
 */
export async function changeRequestFor(
  ctx: Context,
  idOrNumber: string,
  wanted: Level,
  { spaceId, lock }: { spaceId?: string | null | undefined; lock?: Lock } = {},
): Promise<ChangeRequestRow & Standing> {
  const named = isChangeRequestNamed(idOrNumber, spaceId);
  // Locked first, then read: a statement that waits for a lock reads the row anew, but not what it joins.
  if (lock) await sql`select from change_request cr where ${named} ${sql.raw(lock)}`.execute(ctx.db);
  const { rows } = await sql<ChangeRequestRow & Loaded>`
    select cr.*, ${levelOn.space(ctx.actor, 's')} as level, false as "isShown", o.blocked ->> 'reason' as "blockedReason"
    from change_request cr join space s on s.id = cr.space_id join organization o on o.id = s.organization_id
    where ${named} and s.deleted_at is null`.execute(ctx.db);
  const found = authorize(ctx, rows[0], { what: 'change request', id: idOrNumber }, wanted);
  return compareVersion(ctx, found, { asked: idOrNumber, lock });
}

/** The space `s` lets the caller read its change requests. */
export const showsChangeRequests = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${reaches(levelOn.space(ctx.actor, 's'), needs.getChangeRequest.space)}`;

/** As it is shown, without signs or leading zeros; what PostgreSQL's integer cannot hold names nothing. */
const NUMBER = /^[1-9][0-9]{0,8}$/;

/** `cr` is the one that an id or, in a space, a number names: ids are never digits only (docs/decisions.md, Identifiers). */
export function isChangeRequestNamed(idOrNumber: string, spaceId: string | null | undefined): RawBuilder<boolean> {
  if (spaceId == null) return sql<boolean>`cr.id = ${idOrNumber}`;
  const name = NUMBER.test(idOrNumber) ? sql`cr.number = ${Number(idOrNumber)}` : sql`cr.id = ${idOrNumber}`;
  return sql<boolean>`cr.space_id = ${spaceId} and ${name}`;
}
