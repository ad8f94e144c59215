import type { Context } from '../../platform/context.ts';
import { badInput, unauthenticated } from '../../platform/errors.ts';
import { eventStream } from '../../platform/events/event-stream.ts';
import { type EventRow, endOfEvents, placeOfEvent } from '../../platform/events/read-events.ts';
import { administers } from '../access/index.ts';

/**
 * The events of an organization as they are recorded, for its admins; from the one after `after` on, or after the one that a
 * client that comes back has seen last. Whether the caller may see them is asked for each.
 */
export async function subscribeToEvents(
  ctx: Context,
  { organizationId, after }: { organizationId: string; after?: string | null | undefined },
): Promise<AsyncGenerator<EventRow, void>> {
  if (ctx.actor.kind === 'anonymous') throw unauthenticated();
  await administers({ ...ctx }, organizationId);
  const lastId = ctx.stream?.lastEventId ?? after;
  const place = lastId == null ? await endOfEvents(ctx.db) : await placeOfEvent(ctx.db, organizationId, lastId);
  if (!place) throw badInput(['after'], `There is no event "${lastId?.slice(0, 100)}" in this organization.`);
  const signal = ctx.stream?.signal ?? AbortSignal.abort();
  return whilePermitted(ctx, organizationId, eventStream(ctx, { organizationId, after: place, signal }));
}

async function* whilePermitted(
  ctx: Context,
  organizationId: string,
  events: AsyncGenerator<EventRow, void>,
): AsyncGenerator<EventRow, void> {
  for await (const event of events) {
    // A context of its own, which remembers no permission.
    await administers({ ...ctx }, organizationId);
    yield event;
  }
}
