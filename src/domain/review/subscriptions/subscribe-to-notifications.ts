import { requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { followEvents, renewContext } from '../../../platform/events/follow-events.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { mayConcern, type Notification, notificationOf } from './notification.ts';

interface FollowedOrganization {
  organizationId: string;
  after?: string | null | undefined;
}

/** Streams the events of an organization that concern the caller, as long as the caller is a member. */
export async function subscribeToNotifications(
  ctx: Context,
  { organizationId, after }: FollowedOrganization,
): Promise<AsyncGenerator<Notification, void>> {
  const userId = requireUserId(ctx.actor);
  const events = await followEvents(ctx, {
    after,
    concerns: (event) => mayConcern(event, userId),
    async authorize(fresh) {
      await organizationFor(fresh, organizationId, permissions.listOrganizationChangeRequests.organization);
      return { organizationId };
    },
  });
  return notifications(ctx, events, userId);
}

async function* notifications(
  ctx: Context,
  events: AsyncGenerator<EventRow, void>,
  userId: string,
): AsyncGenerator<Notification, void> {
  for await (const event of events) {
    const notification = await notificationOf(await renewContext(ctx), event, userId);
    if (notification) yield notification;
  }
}
