import { z } from 'zod';
import { requireOperator } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { conflict, notFound } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockCredential } from '../access/index.ts';
import { emailAddress } from './email-address.ts';
import { User } from './entity.ts';
import { setVerifiedEmail } from './set-verified-email.ts';

/** Only operators can do this. */
const ACTION = 'confirm email addresses';

export const confirmUserEmail = command({
  name: 'confirmUserEmail',
  scope: 'admin',
  description:
    'Marks the email address that a user has set as verified. Only for operators of the service: make sure that the address belongs to this user. CONFLICT if the user has not set this address, or if another account has ' +
    'verified it.',
  input: z.object({
    userId: idOf('user'),
    email: emailAddress.describe('The address that the user has set, in any case.'),
  }),
  authorize: async (ctx) => requireOperator(ctx.actor, ACTION),
  async run(ctx, { userId, email }) {
    requireOperator(ctx.actor, ACTION);
    await lockCredential(ctx);
    await confirmEmail(ctx, userId, email);
    return accountOf(ctx, userId);
  },
  // Operators need not share an organization with the user.
  async readAgain(ctx, { id }) {
    requireOperator(ctx.actor, ACTION);
    return accountOf(ctx, id);
  },
});

/** Makes the address that a user has claimed the verified one, on the word of an operator. */
export async function confirmEmail(ctx: Context, userId: string, email: string): Promise<void> {
  const user = await lockEntity(ctx, User, { id: userId });
  if (!user) throw notFound('user', userId);
  const claimed = user.unverifiedEmail;
  if (claimed?.toLowerCase() !== email.toLowerCase()) {
    throw conflict(`The user has not set the address "${email}", or the address is already verified.`);
  }
  await setVerifiedEmail(ctx, userId, claimed);
}

async function accountOf({ db }: Context, userId: string) {
  const user = await db.selectFrom('user').where('id', '=', userId).selectAll().executeTakeFirst();
  if (!user) throw notFound('user', userId);
  return user;
}
