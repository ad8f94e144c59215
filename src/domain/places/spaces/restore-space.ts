import { z } from 'zod';
import { conflict } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { holdPlace, lockPlace, parentNow, placeItem } from '../placement/index.ts';
import { spaceFor } from './access.ts';
import { spaceId } from './settings.ts';

const needed = permissions.restoreSpace.space;

export const restoreSpace = command({
  name: 'restoreSpace',
  description: 'Brings a deleted space back to its place, within seven days. One that is not deleted stays as it is.',
  input: z.object({ spaceId }),
  versioned: 'spaceId',
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', needed, { deleted: 'allowed' }),
  async run(ctx, input) {
    const found = await spaceFor(ctx, input.spaceId, needed, { deleted: 'allowed' });
    if (found.deletedAt === null) {
      return { space: await spaceFor(ctx, input.spaceId, needed, { deleted: 'allowed', lock: 'for no key update' }) };
    }
    const organizationId = found.organizationId;
    // Places come before spaces in the order of locks; what is decided is decided when both are held.
    const parentId = await parentNow(ctx, found.id);
    const isPlaced = parentId !== undefined && (await holdPlace(ctx, { organizationId, parentId }));
    if (!isPlaced) await lockPlace(ctx, { organizationId, parentId: null });
    const space = await spaceFor(ctx, input.spaceId, needed, { deleted: 'allowed', lock: 'for no key update' });
    if (space.deletedAt === null) return { space };
    if ((await parentNow(ctx, space.id)) !== parentId || space.organizationId !== organizationId) {
      throw conflict('The space was moved meanwhile; try again.');
    }
    if (!isPlaced) await placeItem(ctx, { itemId: space.id, organizationId, parentId: null });
    const restored = await ctx.db
      .updateTable('space')
      .set({ deletedAt: null })
      .where('id', '=', space.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'space_restored', organizationId, spaceId: space.id });
    return { space: restored };
  },
});
