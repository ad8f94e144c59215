import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { type NewEvent, recordEvents } from '../../../platform/events/record-event.ts';

interface AccountEvent extends Omit<NewEvent, 'organizationId' | 'spaceId' | 'ids'> {
  ids: { userId: string } & Record<string, string>;
}

/**
 * The events of a change to an account: one without an organization, and one for each organization that the person has
 * joined, since the account gives access to it. Organizations that have only added the account learn nothing of it.
 * `only` is the one organization of a sign-in with SSO, which has the only event, or those that the person has limited
 * an application to: choosing them agrees to the membership for this.
 */
export async function eventsOfAccount(
  { db }: Pick<Context, 'db'>,
  event: AccountEvent,
  only?: string | readonly string[] | undefined,
): Promise<NewEvent[]> {
  if (typeof only === 'string') return [{ ...event, organizationId: only }];
  const memberships = await db
    .selectFrom('membership')
    .where('userId', '=', event.ids.userId)
    .where('isDisabled', '=', false)
    .$if(only === undefined, (all) => all.where('isAccepted', '=', true))
    .$if(only !== undefined, (all) => all.where('organizationId', '=', anyOf([...(only ?? [])])))
    .select('organizationId')
    .orderBy('organizationId')
    .execute();
  return [null, ...memberships.map(({ organizationId }) => organizationId)].map((organizationId) => ({
    ...event,
    organizationId,
  }));
}

/** Records the events of a change to an account, in the transaction of a command. */
export async function recordAccountEvent(
  ctx: Context,
  event: AccountEvent,
  only?: string | readonly string[] | undefined,
): Promise<void> {
  await recordEvents(ctx, await eventsOfAccount(ctx, event, only));
}
