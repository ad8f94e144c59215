import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor, spaceForChange } from './access.ts';
import { spaceId } from './settings.ts';

export const deleteSpace = command({
  name: 'deleteSpace',
  scope: 'admin',
  description: 'Deletes a space. It can be restored for seven days, after which it is permanently removed.',
  input: z.object({ spaceId }),
  versioned: 'spaceId',
  authorize: (ctx, { spaceId: id = '' }) => orNull(spaceFor(ctx, id, permissions.deleteSpace.space)),
  async run(ctx, input) {
    const needed = permissions.deleteSpace.space;
    const space = await orNull(spaceForChange(ctx, input.spaceId, needed, { changesAccess: true }));
    if (!space) return { deletedId: null, organizationId: null };
    space.deletedAt = nowOf(ctx);
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'space_deleted', organizationId: space.organizationId, spaceId: space.id });
    return { deletedId: space.id, organizationId: space.organizationId };
  },
});
