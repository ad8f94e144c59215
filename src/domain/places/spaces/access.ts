import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type EntityRow, entityFromRow } from '../../../platform/database/entity-from-row.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import {
  type Access,
  accessLoader,
  authorize,
  decideBeforeLocks,
  isVisible,
  type Loaded,
  type LockOptions,
  loadWithAccess,
  notVisibleError,
  primeAccess,
  resourceRows,
  type ShareCredentials,
} from '../../people/access/index.ts';
import { Space } from './entity.ts';
import { RESTORABLE_MS } from './settings.ts';

/** A space with the caller's access to it. */
export type SpaceRow = Row<'space'> & Access;

/**
 * The space, if the caller has the required access. NOT_FOUND if it is absent or hidden, FORBIDDEN if the role is too
 * low. A deleted space is NOT_FOUND, except to admins with `deleted: 'allowed'` while it can be restored, but not to
 * applications that are limited to spaces.
 */
export async function spaceFor(
  ctx: Context,
  id: string,
  required: Role | 'view',
  options: LockOptions & ShareCredentials & { deleted?: 'allowed' } = {},
): Promise<SpaceRow & Loaded> {
  const decide = async (deciding: Context) => {
    const space = await loadWithAccess<Row<'space'>>(deciding, 'space', id, options);
    if (space?.deletedAt != null) {
      const isShown = options.deleted === 'allowed' && isRestorable(deciding, space, space.deletedAt);
      if (!isShown) throw notVisibleError(deciding, 'space', id);
    }
    return authorize(deciding, space, { what: 'space', id, shareKey: options.shareKey }, required);
  };
  return recordVersion(ctx, await decideBeforeLocks(ctx, decide, options), options);
}

/** Returns the space as a locked entity, for commands that change it. Throws the errors of `spaceFor`. */
export const spaceForChange = async (
  ctx: Context,
  id: string,
  minimum: Role,
  options: { changesAccess?: boolean; deleted?: 'allowed' } = {},
): Promise<EntityRow<typeof Space>> =>
  entityFromRow(ctx, Space, await spaceFor(ctx, id, minimum, { ...options, lock: 'for no key update' }));

/** Spaces by id, batched. Only spaces that `getSpace` returns. */
export const loadSpace = rowLoader<Row<'space'>>('space', async (ctx, ids) => {
  const spaces = await resourceRows<Row<'space'>>(ctx, { kind: 'space', ids });
  primeAccess(
    ctx,
    'space',
    spaces.map((space) => [space.id, space]),
  );
  return spaces.filter((space) =>
    space.deletedAt === null ? isVisible(space) : isRestorable(ctx, space, space.deletedAt),
  );
});

/** Whether the caller can restore a space that was deleted at a time. */
const isRestorable = (ctx: Context, { role }: Access, deletedAt: string): boolean =>
  role === 'admin' && onlySpacesOf(ctx.actor) === undefined && deletedAt > lastRestorable(ctx);

/** Spaces that were deleted later can still be restored. */
export const lastRestorable = ({ services }: Context): string =>
  new Date(services.clock().getTime() - RESTORABLE_MS).toISOString();

/** Whether the caller has a role on a space, batched. Readers of a published site can see the space without one. */
export const hasRoleOnSpace = async (ctx: Context, id: string): Promise<boolean> =>
  atLeast((await accessLoader.space(ctx, id))?.role, 'read');

/** Spaces by id, batched: those that are not deleted and on which the caller has the minimum role. */
export async function loadSpaceWithRole(ctx: Context, id: string, minimum: Role): Promise<Row<'space'> | undefined> {
  const space = await loadSpace(ctx, id);
  if (!space || space.deletedAt !== null) return undefined;
  const access = await accessLoader.space(ctx, id);
  return atLeast(access?.role, minimum) ? space : undefined;
}
