import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { addressIn, idIn, mayIn, objectIs, versionedShape } from '../../../platform/shapes.ts';
import { appUrl, locationUrl } from '../../../platform/urls.ts';
import { VERSIONED } from '../../../platform/version.ts';
import { type Access, accessOn, contentLevel, roleInRest } from '../../people/access/index.ts';
import { parentOf } from '../placement/index.ts';
import { loadCollection } from './load.ts';

/** What a access lets its holder do with a collection (decisions 5). */
export const permissionsOf = ({ role }: Pick<Access, 'role'>) => ({
  view: atLeast(role, 'read'),
  admin: atLeast(role, 'admin'),
  viewInviteLinks: atLeast(role, 'admin'),
  create: atLeast(role, 'create'),
});

export const collectionPermissions = async (ctx: Context, id: string) =>
  permissionsOf((await accessOn.collection(ctx, id)) ?? { role: null });

export const collectionUrls = (ctx: Context, id: string) => ({
  location: locationUrl(ctx, `/v1/collections/${id}`),
  app: appUrl(ctx, `/collections/${id}`),
});

/** The collection that a space or collection stands in, unless it is hidden from the caller. Batched. */
export async function visibleParent(ctx: Context, itemId: string): Promise<Row<'collection'> | null> {
  const parentId = await parentOf(ctx, itemId);
  return (parentId && (await loadCollection(ctx, parentId))) || null;
}

/** REST's Collection. */
export async function presentCollection(collection: Row<'collection'>, ctx: Context) {
  const { id } = collection;
  const [parent, permissions] = await Promise.all([visibleParent(ctx, id), collectionPermissions(ctx, id)]);
  return {
    [VERSIONED]: collection,
    object: 'collection',
    id,
    title: collection.title,
    description: collection.description,
    organization: collection.organizationId,
    ...(parent && { parent: parent.id }),
    defaultLevel: roleInRest(collection.defaultLevel),
    urls: collectionUrls(ctx, id),
    permissions,
  };
}

export const collectionShape = versionedShape('Collection', 'A shelf of spaces and further collections.', {
  object: objectIs('collection'),
  id: idIn('collection'),
  title: z.string().describe('Its name.'),
  description: z.string().describe('What it holds.'),
  organization: idIn('org', 'The organization.'),
  parent: idIn('collection', 'The collection that it stands in, if you may see that.').optional(),
  defaultLevel: contentLevel.nullable().describe('What members may do with it; null is nothing.'),
  urls: z
    .object({ location: addressIn('Where it is in REST.'), app: addressIn('Where people see it.') })
    .describe('Addresses.'),
  permissions: z
    .object({
      view: mayIn('You may see it.'),
      admin: mayIn('You may change its settings.'),
      viewInviteLinks: mayIn('You may see its invite links.'),
      create: mayIn('You may put something into it.'),
    })
    .describe('What you may do.'),
});
