import { z } from 'zod';
import { requireOperator } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockCredential, recordAccountEvent } from '../access/index.ts';
import { makeSignInLink, OPERATOR_LINK_MS } from './sign-in-links.ts';

/** Only operators can do this. */
const ACTION = 'create links that sign others in';

export const createSignInLink = command({
  name: 'createSignInLink',
  scope: 'admin',
  description:
    'Creates a link that signs a user in once, within a day, for a person who cannot sign in otherwise. Only for operators of the service. Give it only to this person. NOT_FOUND if the user does not exist.',
  input: z.object({ userId: idOf('user') }),
  authorize: async (ctx) => requireOperator(ctx.actor, ACTION),
  async run(ctx, { userId }): Promise<{ url: string | null; expiresAt: string }> {
    requireOperator(ctx.actor, ACTION);
    await lockCredential(ctx);
    const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('id').forKeyShare().executeTakeFirst();
    if (!user) throw notFound('user', userId);
    const now = new Date(nowOf(ctx));
    const path = await makeSignInLink(ctx.db, { userId, now, validMs: OPERATOR_LINK_MS });
    await recordAccountEvent(ctx, { kind: 'sign_in_link_created', ids: { userId } });
    const expiresAt = new Date(now.getTime() + OPERATOR_LINK_MS).toISOString();
    return { url: `${ctx.services.config.publicUrl}${path}`, expiresAt };
  },
  shownOnce: ['url'],
  async readAgain(ctx, { expiresAt }) {
    requireOperator(ctx.actor, ACTION);
    return { url: null, expiresAt };
  },
});
