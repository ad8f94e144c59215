import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { decideBeforeLocks, permissions } from '../../people/access/index.ts';
import { authorizeLeaving, authorizeMove } from '../collections/index.ts';
import { moveItem, parentOfMove, readParentUncached, rejectNoMove, siblingPosition } from '../placement/index.ts';
import { spaceFor, spaceForChange } from './access.ts';
import { spaceId } from './settings.ts';

const needed = permissions.moveSpace;

export const moveSpace = command({
  name: 'moveSpace',
  scope: 'write',
  // Access is inherited from the parent.
  scopeOf: ({ parentId }) => (parentId === undefined ? undefined : 'admin'),
  description:
    'Moves a space to another parent in the organization, to another position among its siblings, or both. FORBIDDEN unless you are an admin of the collection that it leaves and of the one that it enters, or can create content at the top level. Roles that are inherited there replace those that were inherited before. CONFLICT if it is already there.',
  input: z.object({ spaceId, parentId: parentOfMove, position: siblingPosition.nullish() }),
  versioned: 'spaceId',
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', needed.space),
  async run(ctx, { spaceId: id, position, parentId: newParentId }) {
    const place = await decideBeforeLocks(ctx, async (deciding) => {
      const { organizationId } = await spaceFor(deciding, id, needed.space, { changesAccess: true });
      rejectNoMove({ position, parentId: newParentId });
      const now = (await readParentUncached(deciding, id)) ?? null;
      const to = { organizationId, parentId: newParentId === undefined ? now : newParentId };
      await authorizeMove(deciding, to, needed, { isOtherParent: newParentId !== undefined });
      if (to.parentId !== now) await authorizeLeaving(deciding, { organizationId, parentId: now }, needed);
      return to;
    });
    const { organizationId, parentId } = place;
    // Places are locked before spaces.
    const space = await spaceForChange(ctx, id, needed.space);
    await moveItem(ctx, { itemId: id, ...place, position });
    space.updatedAt = nowOf(ctx);
    await ctx.em.flush();
    await recordEvent(ctx, {
      kind: 'space_moved',
      organizationId,
      spaceId: id,
      ids: parentId === null ? {} : { parentId },
    });
    return { spaceId: id, space };
  },
});
