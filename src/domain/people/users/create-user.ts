import { z } from 'zod';
import { isOperator } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { conflict, forbidden, notFound } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command } from '../../../platform/operation.ts';
import { displayName } from './display-name.ts';
import { emailAddress } from './email-address.ts';

constraintMeans('user_email_unique', () => conflict('There is a user with this e-mail address already.'));

export const createUser = command({
  name: 'createUser',
  description:
    'Creates an account, its e-mail counted as verified. For operators of this service. The user gets in with a token that an operator makes by `createApiToken`.',
  input: z.object({
    email: emailAddress.describe(
      'E-mail address, up to 254 characters; unique over the service, whatever its case. CONFLICT when taken.',
    ),
    displayName,
  }),
  authorize: async (ctx) => operatorsOnly(ctx),
  async run(ctx, { email, displayName: name }) {
    operatorsOnly(ctx);
    const now = nowOf(ctx);
    const user = await ctx.db
      .insertInto('user')
      .values({
        id: newId('user'),
        email,
        isEmailVerified: true,
        displayName: name,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'user_created', organizationId: null, ids: { userId: user.id } });
    return user;
  },
  // Operators see accounts that they made here and nowhere else, until an organization is shared.
  async readAgain(ctx, { id }) {
    operatorsOnly(ctx);
    const user = await ctx.db.selectFrom('user').where('id', '=', id).selectAll().executeTakeFirst();
    if (!user) throw notFound('user', id);
    return user;
  },
});

function operatorsOnly({ actor }: Context): void {
  if (!isOperator(actor)) throw forbidden('Only operators of this service may create users.');
}
