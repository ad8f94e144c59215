import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors.ts';
import { compareVersion } from '../../../platform/version.ts';
import {
  type Access,
  authorize,
  isVisible,
  type Lock,
  loadWithAccess,
  type OrganizationPermission,
  organizationFor,
} from '../../people/access/index.ts';
import type { Place } from '../placement/index.ts';

/** A collection with the caller's access on it. */
export type CollectionRow = Row<'collection'> & Access;

/** The collection, if the caller may do this to it: 404 when it is absent or hidden, 403 when the role is too low. */
export async function collectionFor(
  ctx: Context,
  id: string,
  wanted: Role,
  options: { lock?: Lock } = {},
): Promise<CollectionRow> {
  const found = await loadWithAccess<Row<'collection'>>(ctx, 'collection', id, options.lock);
  return compareVersion(ctx, authorize(ctx, found, { what: 'collection', id }, wanted), options);
}

/** The line of `needs` of an operation that makes something at a place. */
interface PlacePermission {
  /** At the top level of the organization. */
  organization: OrganizationPermission;
  /** In a collection, on that collection. */
  parent: Role;
}

/**
 * Refuses who may not make something at a place, and locks the parent. In a collection it is the level there that
 * counts, so that guests may be let in; a parent that is unknown, hidden or of another organization is BAD_USER_INPUT.
 * Whoever changes the shape of the tree of collections locks the organization too (`treeChanges`).
 */
export async function authorizePlace(
  ctx: Context,
  { organizationId, parentId }: Place,
  need: PlacePermission,
  { treeChanges = false } = {},
): Promise<void> {
  const lock = 'for no key update';
  if (parentId === null) {
    await organizationFor(ctx, organizationId, need.organization, lock);
    return;
  }
  await organizationFor(ctx, organizationId, 'member', treeChanges ? lock : undefined);
  const parent = await loadWithAccess<Row<'collection'>>(ctx, 'collection', parentId, lock);
  if (!parent || parent.organizationId !== organizationId || !isVisible(parent)) {
    throw badInput(['parentId'], `There is no collection "${parentId}" in this organization that you may see.`);
  }
  authorize(ctx, parent, { what: 'collection', id: parentId }, need.parent);
}

/** `authorizePlace` for an input that is not valid otherwise: by its ids alone, without locks. */
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
