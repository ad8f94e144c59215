import type { Context } from '../../../platform/context/context.ts';
import { loadUser, type VisibleUser } from '../../people/users/index.ts';
import { hasRoleOnSpace } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** Author of a revision, batched. Hidden from readers of a published site. */
export async function authorOf({ createdBy, spaceId }: RevisionRow, ctx: Context): Promise<VisibleUser | undefined> {
  if (createdBy === null || !(await hasRoleOnSpace(ctx, spaceId))) return undefined;
  return loadUser(ctx, createdBy);
}
