import { z } from 'zod';
import { isOperator, requireFullAccount, userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput, notFound } from '../../../platform/errors/errors.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { lockCredential, recordAccountEvent } from '../access/index.ts';
import { claimEmail } from './claim-email.ts';
import { displayName } from './display-name.ts';
import { emailAddress } from './email-address.ts';
import { User } from './entity.ts';
import { userFor, type VisibleUser } from './load.ts';
import { setVerifiedEmail, withdrawVerification } from './set-verified-email.ts';

const input = z.object({
  userId: idOf('user'),
  displayName: displayName.optional(),
  photoUrl: webAddress().nullish().describe('URL of the profile picture, up to 2,048 characters. Null removes it.'),
  email: emailAddress
    .optional()
    .describe(
      'Email address, up to 254 characters. An address that you set yourself is `unverifiedEmail` until you open the link that is sent to it, or until an operator of the service confirms it; the account keeps its former address until then. Setting your current address withdraws an unverified one. An address that an operator sets is verified at once: CONFLICT if another account has verified it. RATE_LIMITED after five changes within an hour.',
    ),
});

export const updateUser = command({
  name: 'updateUser',
  scope: 'admin',
  description:
    'Updates your account. Operators of the service can change the email address of any user. Omitted fields keep their values. At least one field is required.',
  input,
  versioned: 'userId',
  authorize: (ctx, { userId = '' }) => (isOperator(ctx.actor) ? Promise.resolve() : userFor(ctx, userId, 'self')),
  async run(ctx, { userId, displayName: name, photoUrl, email }) {
    if (email !== undefined) await lockCredential(ctx);
    const user = await userForChange(ctx, { userId, displayName: name, photoUrl, email });
    if (name === undefined && photoUrl === undefined && email === undefined) {
      throw badInput([], 'Nothing to update. Send a display name, a photo URL or an email address.', 'REQUIRED');
    }
    const changed = watchSettings(user, ['displayName', 'photoUrl']);
    ctx.em.assign(user, { displayName: name, photoUrl, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    if (email !== undefined) await changeEmail(ctx, user, email);
    await recordAccountEvent(ctx, { kind: 'user_updated', ids: { userId }, changes: changed() });
    return { userId };
  },
});

/** Returns the account as a locked entity. Operators can change the email address of other users, and nothing else. */
async function userForChange(
  ctx: Context,
  { userId: id, displayName: name, photoUrl, email }: z.output<typeof input>,
): Promise<EntityRow<typeof User>> {
  const isAddressAlone = email !== undefined && name === undefined && photoUrl === undefined;
  if (!isAddressAlone || !isOperator(ctx.actor)) {
    requireFullAccount(ctx.actor);
    await userFor(ctx, id, 'self');
  }
  const user = await lockEntity(ctx, User, { id });
  if (!user) throw notFound('user', id);
  return recordVersion(ctx, user, { lock: 'for no key update' });
}

/** An address that only differs in case from the verified one is verified. */
async function changeEmail(ctx: Context, user: EntityRow<typeof User>, email: string): Promise<void> {
  if (user.email?.toLowerCase() === email.toLowerCase()) {
    ctx.em.assign(user, { email, unverifiedEmail: null });
    await ctx.em.flush();
    await withdrawVerification(ctx, user.id);
  } else if (isOperator(ctx.actor)) await setVerifiedEmail(ctx, user.id, email);
  else await claimEmail(ctx, user, email);
}

/** The updated account. Operators see accounts that they update, even without a common organization. */
export async function userAfterUpdate(ctx: Context, userId: string): Promise<VisibleUser> {
  if (!isOperator(ctx.actor) || userIdOf(ctx.actor) === userId) return userFor(ctx, userId, 'view');
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).selectAll().executeTakeFirst();
  if (!user) throw notFound('user', userId);
  return user;
}
