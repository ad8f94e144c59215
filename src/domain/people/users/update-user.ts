import { sql } from 'kysely';
import { z } from 'zod';
import { isOperator, userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput, notFound } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { compareVersion } from '../../../platform/version.ts';
import { webAddress } from '../../../platform/web-address.ts';
import { displayName } from './display-name.ts';
import { emailAddress } from './email-address.ts';
import { userFor, type VisibleUser } from './load.ts';

const input = z.object({
  userId: idOf('user'),
  displayName: displayName.optional(),
  photoUrl: webAddress().nullish().describe('Address of a portrait, up to 2,048 characters; null removes it.'),
  email: emailAddress
    .optional()
    .describe(
      'E-mail address, up to 254 characters; unique over the service, whatever its case. CONFLICT when taken. One that you give yourself counts as unverified, one that an operator gives as verified.',
    ),
});

type Changes = Partial<z.output<typeof input>>;

export const updateUser = command({
  name: 'updateUser',
  description:
    'Changes your own account. Operators of this service may change the e-mail address of any. Members that are left out stay as they are; give at least one.',
  input,
  versioned: 'userId',
  authorize: (ctx, { userId = '' }) => (isOperator(ctx.actor) ? Promise.resolve() : userFor(ctx, userId, 'self')),
  async run(ctx, { userId, displayName: name, photoUrl, email }) {
    await mayUpdate(ctx, { userId, displayName: name, photoUrl, email });
    if (name === undefined && photoUrl === undefined && email === undefined) {
      throw badInput([], 'There is nothing to change: give a display name, a photo or an e-mail address.');
    }
    const updated = await ctx.db
      .updateTable('user')
      .set({ displayName: name, photoUrl, updatedAt: nowOf(ctx) })
      .$if(email !== undefined, (update) => update.set(addressSet(ctx, email)))
      .where('id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    if (!updated) throw notFound('user', userId);
    await recordEvent(ctx, { kind: 'user_updated', organizationId: null, ids: { userId } });
    return { userId };
  },
});

/** Operators are trusted with addresses, and with nothing else of an account. */
async function mayUpdate(ctx: Context, { userId = '', displayName: name, photoUrl, email }: Changes): Promise<void> {
  const isAddressAlone = email !== undefined && name === undefined && photoUrl === undefined;
  if (!isAddressAlone || !isOperator(ctx.actor)) {
    await userFor(ctx, userId, 'self', { lock: 'for no key update' });
    return;
  }
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).selectAll().forNoKeyUpdate().executeTakeFirst();
  if (!user) throw notFound('user', userId);
  compareVersion(ctx, user, { lock: 'for no key update' });
}

/** The same address in other letters stays as verified as it was. */
const addressSet = ({ actor }: Context, email: string | undefined) => ({
  email,
  isEmailVerified: sql<boolean>`${isOperator(actor)} or (is_email_verified and lower(email) = lower(${email}))`,
});

/** An account as the one who changed it may see it: operators see those that they change. */
export async function userAfterUpdate(ctx: Context, userId: string): Promise<VisibleUser> {
  if (!isOperator(ctx.actor) || userIdOf(ctx.actor) === userId) return userFor(ctx, userId, 'view');
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).selectAll().executeTakeFirst();
  if (!user) throw notFound('user', userId);
  return user;
}
