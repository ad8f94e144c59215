import type { Context } from '../context/context.ts';
import { badInput, unauthenticated } from '../errors/errors.ts';
import { eventStream } from './event-stream.ts';
import { type EventRow, endOfEvents, placeOfEvent } from './read-events.ts';

export interface Followed {
  /** Throws if the caller cannot read the events, else returns their organization. Called for each event in a fresh context. */
  authorize(ctx: Context): Promise<{ organizationId: string }>;
  /** The stream starts after this event. `Last-Event-ID` takes precedence. */
  after?: string | null | undefined;
  /** Default: all events of the organization. */
  concerns?(event: EventRow): boolean;
}

/**
 * Events as they are recorded, until `authorize` throws. By default, starts with new events. BAD_USER_INPUT if the
 * organization has no event `after`.
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
  if (!place) throw badInput(['after'], `Event "${lastId?.slice(0, 100)}" does not exist.`, 'NOT_FOUND');
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
