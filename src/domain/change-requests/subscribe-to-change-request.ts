import type { Context } from '../../platform/context.ts';
import { badInput, unauthenticated } from '../../platform/errors.ts';
import { eventStream } from '../../platform/events/event-stream.ts';
import { type EventRow, endOfEvents, placeOfEvent } from '../../platform/events/read-events.ts';
import { needs } from '../access/index.ts';
import { changeRequestFor } from './access.ts';

/** The events of one change request as they are recorded, as long as the caller may read it: that is asked for each. */
export async function subscribeToChangeRequest(ctx: Context, id: string): Promise<AsyncGenerator<EventRow, void>> {
  if (ctx.actor.kind === 'anonymous') throw unauthenticated();
  const mayRead = () => changeRequestFor({ ...ctx }, id, needs.getChangeRequest.space);
  const { organization_id: organizationId } = await mayRead();
  const lastId = ctx.stream?.lastEventId;
  const after = lastId === undefined ? await endOfEvents(ctx.db) : await placeOfEvent(ctx.db, organizationId, lastId);
  if (!after) throw badInput([], `Last-Event-ID: there is no event "${lastId?.slice(0, 100)}" of this change request.`);
  const signal = ctx.stream?.signal ?? AbortSignal.abort();
  return ofChangeRequest(eventStream(ctx, { organizationId, after, signal }), id, mayRead);
}

async function* ofChangeRequest(
  events: AsyncGenerator<EventRow, void>,
  id: string,
  mayRead: () => Promise<unknown>,
): AsyncGenerator<EventRow, void> {
  for await (const event of events) {
    if (event.ids.changeRequestId !== id) continue;
    await mayRead();
    yield event;
  }
}
