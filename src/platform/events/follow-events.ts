import type { Context } from '../context.ts';
import { badInput, unauthenticated } from '../errors.ts';
import { eventStream } from './event-stream.ts';
import { type EventRow, endOfEvents, placeOfEvent } from './read-events.ts';

/** Which events to follow, from where on, and who may. */
export interface Followed {
  /** Refuses who may not read them; answers the organization that they are of. Asked for each, in a fresh context. */
  authorize(ctx: Context): Promise<{ organizationId: string }>;
  /** Begins behind this event; a client that comes back says so by `Last-Event-ID` as well. */
  after?: string | null | undefined;
  /** Default: all events of the organization. */
  concerns?(event: EventRow): boolean;
}

/**
 * Events as they are recorded, as long as the caller may read them: a apiError ends the stream. Without a place to begin,
 * those that are recorded from now on. 400 when the organization has no event `after`.
 */
export async function followEvents(
  ctx: Context,
  { authorize, after, concerns = () => true }: Followed,
): Promise<AsyncGenerator<EventRow, void>> {
  if (ctx.actor.kind === 'anonymous') throw unauthenticated();
  const mayRead = () => authorize({ ...ctx });
  const { organizationId } = await mayRead();
  const lastId = ctx.stream?.lastEventId ?? after;
  const place = lastId == null ? await endOfEvents(ctx.db) : await placeOfEvent(ctx.db, organizationId, lastId);
  if (!place) throw badInput(['after'], `There is no event "${lastId?.slice(0, 100)}" to go on from.`);
  const signal = ctx.stream?.signal ?? AbortSignal.abort();
  return permitted(eventStream(ctx, { organizationId, after: place, signal }), concerns, mayRead);
}

async function* permitted(
  events: AsyncGenerator<EventRow, void>,
  concerns: (event: EventRow) => boolean,
  mayRead: () => Promise<unknown>,
): AsyncGenerator<EventRow, void> {
  for await (const event of events) {
    if (!concerns(event)) continue;
    await mayRead();
    yield event;
  }
}
