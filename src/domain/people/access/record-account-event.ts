import type { Context } from '../../../platform/context/context.ts';
import { type NewEvent, recordEvents } from '../../../platform/events/record-event.ts';

interface AccountEvent extends Omit<NewEvent, 'organizationId' | 'spaceId' | 'ids'> {
  ids: { userId: string } & Record<string, string>;
}

/**
 * The events of a change to an account: one without an organization, and one for each organization in which the person is a
 * member, since the account gives access to it. An account that has signed in with SSO gives access to one of them only.
 */
export async function eventsOfAccount(
  { db }: Pick<Context, 'db'>,
  event: AccountEvent,
  onlyOrganizationId?: string,
): Promise<NewEvent[]> {
  if (onlyOrganizationId !== undefined) return [{ ...event, organizationId: onlyOrganizationId }];
  const memberships = await db
    .selectFrom('membership')
    .where('userId', '=', event.ids.userId)
    .where('isDisabled', '=', false)
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
  onlyOrganizationId?: string,
): Promise<void> {
  await recordEvents(ctx, await eventsOfAccount(ctx, event, onlyOrganizationId));
}
