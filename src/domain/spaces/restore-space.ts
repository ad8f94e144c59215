import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { command } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { parentNow, placeItem } from '../placement/index.ts';
import { type SpaceRow, spaceFor } from './access.ts';
import { spaceId } from './settings.ts';

const needed = needs.restoreSpace.space;

export const restoreSpace = command({
  name: 'restoreSpace',
  description: 'Brings a deleted space back to its place, within seven days. One that is not deleted stays as it is.',
  input: z.object({ spaceId }),
  versioned: 'spaceId',
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', needed, { deleted: 'allowed' }),
  async run(ctx, input) {
    const found = await spaceFor(ctx, input.spaceId, needed, { deleted: 'allowed' });
    const hold = () => spaceFor(ctx, input.spaceId, needed, { deleted: 'allowed', lock: 'for no key update' });
    if (found.deleted_at === null) return { space: await hold() };
    // Before the space's own lock, as places come first in the order of locks.
    if (!(await hasPlace(ctx, found))) {
      await placeItem(ctx, { itemId: found.id, organizationId: found.organization_id, parentId: null });
    }
    const space = await hold();
    const restored = await ctx.db
      .updateTable('space')
      .set({ deleted_at: null })
      .where('id', '=', space.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'space_restored', organizationId: space.organization_id, spaceId: space.id });
    return { space: restored };
  },
});

/** Whether the place that it had is still there. */
async function hasPlace(ctx: Context, { id, organization_id }: SpaceRow): Promise<boolean> {
  const parentId = await parentNow(ctx, id);
  if (!parentId) return parentId === null;
  const parent = await ctx.db
    .selectFrom('collection')
    .where('id', '=', parentId)
    .where('organization_id', '=', organization_id)
    .select('id')
    .executeTakeFirst();
  return parent !== undefined;
}
