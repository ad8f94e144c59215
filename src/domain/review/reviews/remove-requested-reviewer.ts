import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { orNull } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { type ChangeRequestName, changeRequestName, holdChangeRequest } from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';

const needed = permissions.removeRequestedReviewer.space;

export const removeRequestedReviewer = command({
  name: 'removeRequestedReviewer',
  description: 'Asks somebody no longer to review a change request. Reviews that they have submitted stay.',
  input: z.object({ ...changeRequestName, userId: idOf('user').describe('Whom to ask no longer.') }),
  authorize: (ctx, { changeRequestId = '', spaceId }) => held(ctx, { changeRequestId, spaceId: spaceId || null }),
  async run(ctx, { userId, ...name }) {
    const changeRequest = await held(ctx, name);
    if (!changeRequest) return { deletedId: null, changeRequestId: null };
    const { id: changeRequestId, organizationId, spaceId } = changeRequest;
    const removed = await ctx.db
      .deleteFrom('requested_reviewer')
      .where('changeRequestId', '=', changeRequestId)
      .where('userId', '=', userId)
      .returning('userId')
      .executeTakeFirst();
    if (!removed) return { deletedId: null, changeRequestId };
    const ids = { changeRequestId, userId };
    await recordEvent(ctx, { kind: 'change_request_review_request_removed', organizationId, spaceId, ids });
    return { deletedId: userId, changeRequestId };
  },
});

/**
 * Nothing where it is absent or hidden, so that removing again does no harm. REST's path names its space, and what is
 * below an absent resource is absent too (docs/decisions.md, Errors).
 */
const held = (ctx: Context, name: ChangeRequestName) =>
  name.spaceId ? holdChangeRequest(ctx, name, needed) : orNull(holdChangeRequest(ctx, name, needed));
