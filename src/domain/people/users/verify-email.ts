import { z } from 'zod';
import { requireFullAccount, requireUserId } from '../../../platform/access/actor.ts';
import { hashToken } from '../../../platform/access/credentials.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { command } from '../../../platform/operation/operation.ts';
import { lockCredential } from '../access/index.ts';
import { setVerifiedEmail } from './set-verified-email.ts';

export const verifyEmail = command({
  name: 'verifyEmail',
  scope: 'admin',
  description:
    'Verifies the email address that you have set, with the single-use secret from the link that was sent to it. Until then, the account keeps its former address. NOT_FOUND if the secret is wrong, belongs to another account, was used or replaced, or has expired. CONFLICT if another account has verified the address meanwhile.',
  input: z.object({
    secret: z.string().min(1).max(200).describe('Secret from the link: the part after `secret=`.'),
  }),
  // The account must be the caller's: otherwise a link in an email could lead its reader to verify their address for
  // another account.
  async run(ctx, { secret }): Promise<{ userId: string }> {
    const userId = requireUserId(ctx.actor);
    requireFullAccount(ctx.actor);
    await lockCredential(ctx);
    const used = await ctx.db
      .updateTable('email_verification')
      .set({ secretHash: null })
      .where('userId', '=', userId)
      .where('secretHash', '=', hashToken(secret))
      .where('expiresAt', '>', nowOf(ctx))
      .returning('email')
      .executeTakeFirst();
    if (!used) throw unusable();
    await setVerifiedEmail(ctx, userId, used.email);
    return { userId };
  },
});

const unusable = () =>
  new ApiError(
    'NOT_FOUND',
    'This link is incomplete, belongs to another account, was already used or replaced, or has expired. Set the address again to get a new link.',
  );
