import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { type ChangeRequestName, changeRequestName, lockChangeRequest } from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';

const needed = permissions.removeRequestedReviewer.space;

export const removeRequestedReviewer = command({
  name: 'removeRequestedReviewer',
  scope: 'propose',
  description:
    'Withdraws the request that a user review a change request. Reviews that the user has submitted are kept.',
  input: z.object({ ...changeRequestName, userId: idOf('user').describe('ID of the requested reviewer.') }),
  authorize: (ctx, { changeRequestId = '', spaceId }) => lockOrNull(ctx, { changeRequestId, spaceId: spaceId || null }),
  async run(ctx, { userId, ...name }) {
    const changeRequest = await lockOrNull(ctx, name);
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
 * Null if the change request does not exist or is hidden, so that the removal can be repeated. REST also names the
 * space: there, a missing change request is NOT_FOUND, since it is the parent of what is removed.
 */
const lockOrNull = (ctx: Context, name: ChangeRequestName) =>
  name.spaceId ? lockChangeRequest(ctx, name, needed) : orNull(lockChangeRequest(ctx, name, needed));
