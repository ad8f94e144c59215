import { type RawBuilder, sql } from 'kysely';
import { isPreviewing } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { resourceNumber } from '../../../platform/ids/ids.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import {
  authorize,
  type Loaded,
  type Lock,
  permissions,
  rowsInSpaces,
  sharedRowsInSpaces,
} from '../../people/access/index.ts';
import type { VisibleUser } from '../../people/users/index.ts';

export type ChangeRequestRow = Row<'change_request'> & {
  /** Only of a row that was just written, whose statement has read the user. */
  creator?: VisibleUser | undefined;
};

const selected = { select: sql`cr.*`, from: sql`change_request cr`, row: 'cr' };

const readById = sharedRowsInSpaces<ChangeRequestRow>(selected, {
  where: (ids) => sql`cr.id = any(${ids}::text[])`,
  keyOf: ({ id }) => id,
});

const readByNumber = sharedRowsInSpaces<ChangeRequestRow>(selected, {
  where: (keys) => sql`(cr.space_id, cr.number) in (select * from unnest(
    ${keys.map((key) => key.slice(key.indexOf(':') + 1))}::text[], ${keys.map((key) => Number.parseInt(key, 10))}::int[]))`,
  keyOf: ({ spaceId, number }) => numberKey(spaceId, number),
});

/** Key of a change request by its number in a space. */
export const numberKey = (spaceId: string, number: number | string) => `${number}:${spaceId}`;

/** Change requests that the caller may read, by their ids or by `numberKey`. */
export async function visibleChangeRequests(
  ctx: Context,
  by: 'id' | 'number',
  keys: readonly string[],
): Promise<ChangeRequestRow[]> {
  const rows = await (by === 'id' ? readById : readByNumber)(ctx, keys);
  return rows.filter(
    ({ role, spaceId }) => atLeast(role, permissions.getChangeRequest.space) || isPreviewing(ctx.actor, spaceId),
  );
}

interface ChangeRequestOptions {
  spaceId?: string | null | undefined;
  lock?: Lock;
  /** Previews of the space can read it, too. Only for operations that are open to them. */
  openToPreviews?: boolean;
}

/**
 * Loads a change request for a caller with at least this `role` on its space. Throws NOT_FOUND if the change request
 * does not exist or the caller has no role on the space, and FORBIDDEN if the role is too low. A published site gives
 * access to a space but not to its change requests; previews can read them with `openToPreviews`. With `spaceId`, the
 * change request must belong to that space and may be named by its number. Lock the space before the change request.
 */
export async function changeRequestFor(
  ctx: Context,
  idOrNumber: string,
  role: Role,
  { spaceId, lock, openToPreviews = false }: ChangeRequestOptions = {},
): Promise<ChangeRequestRow & Loaded> {
  const where = isChangeRequestNamed(idOrNumber, spaceId);
  const [row] = ctx.inTransaction
    ? await rowsInSpaces<ChangeRequestRow>(ctx, { ...selected, where, lock })
    : await readNamed(ctx, idOrNumber, spaceId);
  if (row && openToPreviews && isPreviewing(ctx.actor, row.spaceId)) return row;
  const changeRequest = authorize(ctx, row, { what: 'change request', id: idOrNumber }, role);
  return recordVersion(ctx, changeRequest, { requestedId: idOrNumber, lock });
}

/** The shared read of `isChangeRequestNamed`. */
async function readNamed(ctx: Context, idOrNumber: string, spaceId: string | null | undefined) {
  if (spaceId == null) return readById(ctx, [idOrNumber]);
  if (resourceNumber(idOrNumber) !== undefined) return readByNumber(ctx, [numberKey(spaceId, idOrNumber)]);
  return (await readById(ctx, [idOrNumber])).filter((row) => row.spaceId === spaceId);
}

/** The `authorize` of operations that name their change request by `changeRequestName`. */
export const authorizeChangeRequest =
  (needed: Role, options: Pick<ChangeRequestOptions, 'openToPreviews'> = {}) =>
  (ctx: Context, { changeRequestId = '', spaceId }: Record<string, string>) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId: spaceId || null, ...options });

/** Condition that `cr` has this id or, within a space, this number. */
export function isChangeRequestNamed(idOrNumber: string, spaceId: string | null | undefined): RawBuilder<boolean> {
  if (spaceId == null) return sql<boolean>`cr.id = ${idOrNumber}`;
  const number = resourceNumber(idOrNumber);
  const name = number === undefined ? sql`cr.id = ${idOrNumber}` : sql`cr.number = ${number}`;
  return sql<boolean>`cr.space_id = ${spaceId} and ${name}`;
}
