import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type EntityRow, entityFromRow } from '../../../platform/database/entity-from-row.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { ApiError, badInput, forbidden } from '../../../platform/errors/errors.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import {
  type Access,
  accessLoader,
  authorize,
  decideBeforeLocks,
  isVisible,
  type LockOptions,
  loadWithAccess,
  lockAccess,
  type OrganizationPermission,
  organizationFor,
} from '../../people/access/index.ts';
import type { ItemParent } from '../placement/index.ts';
import { Collection } from './entity.ts';

/** A collection with the caller's access to it. */
export type CollectionRow = Row<'collection'> & Access;

/**
 * The collection, if the caller has the minimum role. NOT_FOUND if it is absent or hidden, FORBIDDEN if the role is too
 * low.
 */
export async function collectionFor(
  ctx: Context,
  id: string,
  minimum: Role,
  options: LockOptions = {},
): Promise<CollectionRow> {
  const decide = async (deciding: Context) => {
    const collection = await loadWithAccess<Row<'collection'>>(deciding, 'collection', id, options);
    return authorize(deciding, collection, { what: 'collection', id }, minimum);
  };
  return recordVersion(ctx, await decideBeforeLocks(ctx, decide, options), options);
}

/** Returns the collection as a locked entity, for commands that change it. Throws the errors of `collectionFor`. */
export const collectionForChange = async (
  ctx: Context,
  id: string,
  minimum: Role,
  options: { changesAccess?: boolean } = {},
): Promise<EntityRow<typeof Collection>> =>
  entityFromRow(ctx, Collection, await collectionFor(ctx, id, minimum, { ...options, lock: 'for no key update' }));

/** The permission that an operation requires to create an item at a place. */
interface PlacePermission {
  /** At the top level of the organization. */
  organization: OrganizationPermission;
  /** On the parent collection, if there is one. */
  parent: Role;
}

/**
 * Throws unless the caller can create items at a place, and locks the parent. In a collection only the role on that
 * collection counts, so that guests can have it. A parent that is absent, hidden or in another organization is
 * BAD_USER_INPUT. `treeChanges` also locks the organization, for commands that change the tree of collections.
 */
export const authorizePlace = (
  ctx: Context,
  place: ItemParent,
  need: PlacePermission,
  { treeChanges = false } = {},
): Promise<void> => decideBeforeLocks(ctx, (deciding) => decidePlace(deciding, place, need, treeChanges));

async function decidePlace(
  ctx: Context,
  { organizationId, parentId }: ItemParent,
  need: PlacePermission,
  treeChanges: boolean,
): Promise<void> {
  const lock = 'for no key update';
  await lockAccess(ctx, organizationId);
  if (parentId === null) {
    await organizationFor(ctx, organizationId, need.organization, lock);
    return;
  }
  await organizationFor(ctx, organizationId, 'member', treeChanges ? lock : undefined);
  const parent = await loadWithAccess<Row<'collection'>>(ctx, 'collection', parentId, { lock });
  if (!parent || parent.organizationId !== organizationId || !isVisible(parent)) {
    throw badInput(
      ['parentId'],
      `Collection "${parentId}" does not exist in this organization, or you cannot see it.`,
      'NOT_FOUND',
    );
  }
  authorize(ctx, parent, { what: 'collection', id: parentId }, need.parent);
}

/**
 * Throws the errors of `authorizePlace`, unless the item keeps a parent that the caller cannot see: nothing is wrong
 * with the input then, so that is FORBIDDEN.
 */
export async function authorizeMove(
  ctx: Context,
  place: ItemParent,
  need: PlacePermission,
  { isOtherParent, treeChanges = false }: { isOtherParent: boolean; treeChanges?: boolean },
): Promise<void> {
  try {
    await authorizePlace(ctx, place, need, { treeChanges });
  } catch (error) {
    const isHidden = error instanceof ApiError && (error.code === 'BAD_USER_INPUT' || error.code === 'NOT_FOUND');
    throw isHidden && !isOtherParent
      ? forbidden('Changing the position requires the role "admin" on the item\'s parent.')
      : error;
  }
}

/**
 * Throws FORBIDDEN unless the caller can take an item out of its place: the role on the item itself is not enough,
 * since guests can have that. The caller has loaded the item with `changesAccess`.
 */
export async function authorizeLeaving(
  ctx: Context,
  { organizationId, parentId }: ItemParent,
  need: PlacePermission,
): Promise<void> {
  if (parentId === null) {
    await organizationFor(ctx, organizationId, need.organization);
    return;
  }
  const access = await accessLoader.collection(ctx, parentId);
  if (atLeast(access?.role, need.parent)) return;
  throw forbidden(
    `Taking the item out of its collection requires the role "${need.parent}" on that collection. Your role on it is "${access?.role ?? 'none'}".`,
  );
}

/** `authorizePlace` for invalid inputs: only checks ids, without locks. */
export async function authorizePlaceOfIds(
  ctx: Context,
  ids: Record<string, string>,
  need: PlacePermission,
): Promise<void> {
  const { organizationId = '', parentId = '' } = ids;
  const organization = await organizationFor(ctx, organizationId, parentId === '' ? need.organization : 'member');
  const parent = parentId === '' ? undefined : await loadWithAccess<Row<'collection'>>(ctx, 'collection', parentId);
  if (parent?.organizationId !== organization.id || !isVisible(parent)) return;
  authorize(ctx, parent, { what: 'collection', id: parentId }, need.parent);
}
