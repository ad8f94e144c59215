import { z } from 'zod';
import { nowOf } from '../../platform/context.ts';
import { badInput } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { command, idOf } from '../../platform/operation.ts';
import { webAddress } from '../../platform/web-address.ts';
import { displayName } from './display-name.ts';
import { userFor } from './load.ts';

export const updateUser = command({
  name: 'updateUser',
  description: 'Changes your own account. Members that are left out stay as they are; give at least one.',
  input: z.object({
    userId: idOf('user'),
    displayName: displayName.optional(),
    photoUrl: webAddress().nullish().describe('Address of a portrait, up to 2,048 characters; null removes it.'),
  }),
  versioned: 'userId',
  authorize: (ctx, { userId = '' }) => userFor(ctx, userId, 'self'),
  async run(ctx, { userId, displayName: name, photoUrl }) {
    await userFor(ctx, userId, 'self', { lock: 'for no key update' });
    if (name === undefined && photoUrl === undefined) {
      throw badInput([], 'There is nothing to change: give a display name or a photo.');
    }
    await ctx.db
      .updateTable('user')
      .set({ display_name: name, photo_url: photoUrl, updated_at: nowOf(ctx) })
      .where('id', '=', userId)
      .execute();
    await recordEvent(ctx, { kind: 'user_updated', organizationId: null, ids: { userId } });
    return { userId };
  },
});
