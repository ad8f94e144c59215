import { z } from 'zod';
import { requireOperator } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command } from '../../../platform/operation/operation.ts';
import { lockCredential } from '../access/index.ts';
import { displayName } from './display-name.ts';
import { emailAddress } from './email-address.ts';
// Says what a violated constraint means.
import './set-verified-email.ts';

/** Only operators can do this. */
const ACTION = 'create users';

export const createUser = command({
  name: 'createUser',
  scope: 'admin',
  description:
    'Creates a user with a verified email address. Only for operators of the service. Use `createApiToken` to create a token for the user.',
  input: z.object({
    email: emailAddress.describe(
      'Email address, up to 254 characters. CONFLICT if another account has verified it, in any case.',
    ),
    displayName,
  }),
  authorize: async (ctx) => requireOperator(ctx.actor, ACTION),
  async run(ctx, { email, displayName: name }) {
    requireOperator(ctx.actor, ACTION);
    await lockCredential(ctx);
    const now = nowOf(ctx);
    const user = await ctx.db
      .insertInto('user')
      .values({
        id: newId('user'),
        email,
        displayName: name,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'user_created', organizationId: null, ids: { userId: user.id } });
    return user;
  },
  // Operators cannot load accounts that they created until they share an organization.
  async readAgain(ctx, { id }) {
    requireOperator(ctx.actor, ACTION);
    const user = await ctx.db.selectFrom('user').where('id', '=', id).selectAll().executeTakeFirst();
    if (!user) throw notFound('user', id);
    return user;
  },
});
