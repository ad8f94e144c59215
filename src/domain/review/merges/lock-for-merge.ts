import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import {
  type ChangeRequestName,
  type ChangeRequestRow,
  changeRequestFor,
} from '../../content/change-requests/index.ts';
import { type SpaceRow, spaceFor } from '../../places/spaces/index.ts';

/**
 * Locks a space and a change request until the transaction ends, so that merges into one space run one at a time. The
 * rows are read again under the locks.
 */
export async function lockForMerge(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
): Promise<{ space: SpaceRow; changeRequest: ChangeRequestRow }> {
  const seen = await changeRequestFor(ctx, name.changeRequestId, needed, { spaceId: name.spaceId });
  const space = await spaceFor(ctx, seen.spaceId, needed, { lock: 'for no key update' });
  return { space, changeRequest: await changeRequestFor(ctx, seen.id, needed, { lock: 'for no key update' }) };
}
