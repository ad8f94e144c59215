import { z } from 'zod';
import { visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { notFound, unauthenticated } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { loadUser, userFor, type VisibleUser } from './load.ts';

export const getUser = query({
  name: 'getUser',
  description:
    'Gets a user. You can see yourself and users who share an organization with you. The token of a published site, whose pages can mention users, shows members of its organization by name, without their email address.',
  openToAnonymous: true,
  input: z.object({ userId: idOf('user') }),
  async run(ctx, { userId }) {
    if (ctx.actor.kind === 'anonymous') throw unauthenticated();
    return ctx.actor.kind === 'visitor' ? mentioned(ctx, userId) : userFor(ctx, userId, 'view');
  },
});

/** A member of an organization whose site the caller visits. */
async function mentioned(ctx: Context, userId: string): Promise<VisibleUser> {
  const organizationIds = visitsOf(ctx.actor).map(({ organizationId }) => organizationId);
  const member = await ctx.db
    .selectFrom('membership')
    .where('userId', '=', userId)
    .where('organizationId', 'in', organizationIds.length === 0 ? [''] : organizationIds)
    .select('userId')
    .executeTakeFirst();
  const user = member && (await loadUser(ctx, userId));
  if (!user) throw notFound('user', userId);
  return user;
}
