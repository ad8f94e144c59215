import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { compareVersion } from '../../../platform/version.ts';
import {
  type Access,
  authorize,
  type Lock,
  loadedInSpace,
  permissions,
  reaches,
  roleOn,
} from '../../people/access/index.ts';

export type ChangeRequestRow = Row<'change_request'>;

/**
 * The change request, if the caller's role on its space reaches what is wanted: 404 when it is absent or the space is
 * not theirs to read, 403 when the role is too low. A published site shows a space, never its change requests. A number
 * names one within `spaceId` only, and an id must belong to that space where one is given. Lock the space before the
 * change request (docs/data-model.md, Locks).
 */
export async function changeRequestFor(
  ctx: Context,
  idOrNumber: string,
  wanted: Role,
  { spaceId, lock }: { spaceId?: string | null | undefined; lock?: Lock } = {},
): Promise<ChangeRequestRow & Access> {
  const named = isChangeRequestNamed(idOrNumber, spaceId);
  // Locked first, then read: a statement that waits for a lock reads the row anew, but not what it joins.
  const changeRequests = ctx.db.selectFrom('change_request as cr').where(named);
  if (lock) await changeRequests.select('cr.id').modifyEnd(sql.raw(lock)).execute();
  const row = await changeRequests
    .innerJoin('space as s', 's.id', 'cr.spaceId')
    .innerJoin('organization as o', 'o.id', 's.organizationId')
    .where('s.deletedAt', 'is', null)
    .selectAll('cr')
    .select(loadedInSpace(ctx))
    .executeTakeFirst();
  const found = authorize(ctx, row, { what: 'change request', id: idOrNumber }, wanted);
  return compareVersion(ctx, found, { asked: idOrNumber, lock });
}

/** The space `s` lets the caller read its change requests. */
export const showsChangeRequests = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${reaches(roleOn.space(ctx.actor, 's'), permissions.getChangeRequest.space)}`;

/** As it is shown, without signs or leading zeros; what PostgreSQL's integer cannot hold names nothing. */
const NUMBER = /^[1-9][0-9]{0,8}$/;

/** `cr` is the one that an id or, in a space, a number names: ids are never digits only (docs/decisions.md, Identifiers). */
export function isChangeRequestNamed(idOrNumber: string, spaceId: string | null | undefined): RawBuilder<boolean> {
  if (spaceId == null) return sql<boolean>`cr.id = ${idOrNumber}`;
  const name = NUMBER.test(idOrNumber) ? sql`cr.number = ${Number(idOrNumber)}` : sql`cr.id = ${idOrNumber}`;
  return sql<boolean>`cr.space_id = ${spaceId} and ${name}`;
}
