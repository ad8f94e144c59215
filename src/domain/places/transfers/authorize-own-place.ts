import type { Context } from '../../../platform/context/context.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeLeaving } from '../collections/index.ts';
import { readParentUncached } from '../placement/index.ts';

/** Throws FORBIDDEN unless the caller is an admin of the collection that contains the item or, at the top level, of the organization. */
export async function authorizeOwnPlace(ctx: Context, itemId: string, organizationId: string): Promise<void> {
  const parentId = (await readParentUncached(ctx, itemId)) ?? null;
  await authorizeLeaving(ctx, { organizationId, parentId }, permissions.transferSpace);
}
