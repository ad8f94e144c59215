import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { loadUser } from '../../people/users/index.ts';
import type { ReviewerWithRequest } from './list-requested-reviewers.ts';

/** The given users who were asked to review a change request, in the given order. Does not check access. */
export async function loadRequestedReviewers(
  ctx: Context,
  { changeRequestId, userIds }: { changeRequestId: string; userIds: readonly string[] },
): Promise<ReviewerWithRequest[]> {
  const rows = await ctx.db
    .selectFrom('requested_reviewer')
    .where('changeRequestId', '=', changeRequestId)
    .where('userId', '=', anyOf(userIds))
    .selectAll()
    .execute();
  const requests = new Map(rows.map((request) => [request.userId, request]));
  const users = await Promise.all(userIds.map((userId) => loadUser(ctx, userId)));
  return users.flatMap((user) => {
    const request = user && requests.get(user.id);
    return request ? [{ ...user, request }] : [];
  });
}
