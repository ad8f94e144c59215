import { sql } from 'kysely';
import { z } from 'zod';
import { isOperator, rejectSso, userIdOf } from '../../../platform/access/actor.ts';
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
  photoUrl: webAddress().nullish().describe('URL of the profile picture, up to 2,048 characters. Null removes it.'),
  email: emailAddress
    .optional()
    .describe(
      'Email address, up to 254 characters, unique across the service regardless of case. CONFLICT if it is taken. An address that you set yourself is unverified, an address that an operator sets is verified.',
    ),
});

type Changes = Partial<z.output<typeof input>>;

export const updateUser = command({
  name: 'updateUser',
  description:
    'Updates your account. Operators of the service can change the email address of any user. Omitted fields keep their values. At least one field is required.',
  input,
  versioned: 'userId',
  authorize: (ctx, { userId = '' }) => (isOperator(ctx.actor) ? Promise.resolve() : userFor(ctx, userId, 'self')),
  async run(ctx, { userId, displayName: name, photoUrl, email }) {
    await mayUpdate(ctx, { userId, displayName: name, photoUrl, email });
    if (name === undefined && photoUrl === undefined && email === undefined) {
      throw badInput([], 'Nothing to update. Send a display name, a photo URL or an email address.');
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

/** Operators can change the email address of other users, and nothing else. */
async function mayUpdate(ctx: Context, { userId = '', displayName: name, photoUrl, email }: Changes): Promise<void> {
  const isAddressAlone = email !== undefined && name === undefined && photoUrl === undefined;
  if (!isAddressAlone || !isOperator(ctx.actor)) {
    rejectSso(ctx.actor);
    await userFor(ctx, userId, 'self', { lock: 'for no key update' });
    return;
  }
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).selectAll().forNoKeyUpdate().executeTakeFirst();
  if (!user) throw notFound('user', userId);
  compareVersion(ctx, user, { lock: 'for no key update' });
}

/** An address that only differs in case keeps its verification. */
const addressSet = ({ actor }: Context, email: string | undefined) => ({
  email,
  isEmailVerified: sql<boolean>`${isOperator(actor)} or (is_email_verified and lower(email) = lower(${email}))`,
});

/** The updated account. Operators see accounts that they update, even without a common organization. */
export async function userAfterUpdate(ctx: Context, userId: string): Promise<VisibleUser> {
  if (!isOperator(ctx.actor) || userIdOf(ctx.actor) === userId) return userFor(ctx, userId, 'view');
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).selectAll().executeTakeFirst();
  if (!user) throw notFound('user', userId);
  return user;
}
