import { z } from 'zod';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { lockPlace, placeItem, readParentUncached, tryLockPlace } from '../placement/index.ts';
import { spaceFor, spaceForChange } from './access.ts';
import { spaceId } from './settings.ts';

const needed = permissions.restoreSpace.space;

export const restoreSpace = command({
  name: 'restoreSpace',
  scope: 'admin',
  description:
    'Restores a deleted space to its former position, within seven days of its deletion. Has no effect on a space that is not deleted.',
  input: z.object({ spaceId }),
  versioned: 'spaceId',
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', needed, { deleted: 'allowed' }),
  async run(ctx, input) {
    const current = await spaceFor(ctx, input.spaceId, needed, { deleted: 'allowed', changesAccess: true });
    if (current.deletedAt === null) {
      return { space: await spaceForChange(ctx, input.spaceId, needed, { deleted: 'allowed' }) };
    }
    const organizationId = current.organizationId;
    // Places are locked before spaces. The state is checked again once both are locked.
    const parentId = await readParentUncached(ctx, current.id);
    const isPlaced = parentId !== undefined && (await tryLockPlace(ctx, { organizationId, parentId }));
    if (!isPlaced) await lockPlace(ctx, { organizationId, parentId: null });
    const space = await spaceForChange(ctx, input.spaceId, needed, { deleted: 'allowed' });
    if (space.deletedAt === null) return { space };
    if ((await readParentUncached(ctx, space.id)) !== parentId || space.organizationId !== organizationId) {
      throw conflict('Another request moved the space at the same time. Try again.');
    }
    if (!isPlaced) await placeItem(ctx, { itemId: space.id, organizationId, parentId: null });
    space.deletedAt = null;
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'space_restored', organizationId, spaceId: space.id });
    return { space };
  },
});
