import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';

/** Makes the creator of a space, collection or site its admin. */
export async function grantToCreator(
  ctx: Context,
  { targetId, organizationId }: { targetId: string; organizationId: string },
): Promise<void> {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return;
  await ctx.db
    .insertInto('grant')
    .values({
      targetId,
      granteeId: userId,
      organizationId,
      role: 'admin',
      createdAt: nowOf(ctx),
    })
    .execute();
}
