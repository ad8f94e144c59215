import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accessOn } from '../../people/access/index.ts';
import { loadUser, type VisibleUser } from '../../people/users/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** Author of a revision, batched. Hidden from readers of a published site. */
export async function authorOf({ createdBy, spaceId }: RevisionRow, ctx: Context): Promise<VisibleUser | undefined> {
  if (createdBy === null || !atLeast((await accessOn.space(ctx, spaceId))?.role, 'read')) return undefined;
  return loadUser(ctx, createdBy);
}
