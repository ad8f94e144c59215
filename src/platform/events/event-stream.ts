import type { Context } from '../context/context.ts';
import { type EventPosition, type EventRow, readEvents } from './read-events.ts';

const BATCH = 50;

/** The events of an organization after a position, including future ones, until `signal` is aborted. */
export async function* eventStream(
  { db, services }: Context,
  { organizationId, after, signal }: { organizationId: string; after: EventPosition; signal: AbortSignal },
): AsyncGenerator<EventRow, void> {
  let wake = () => {};
  let isWoken = false;
  const unsubscribe = services.eventSignal.subscribe(() => {
    isWoken = true;
    wake();
  });
  const end = () => wake();
  signal.addEventListener('abort', end, { once: true });
  try {
    for (let place = after; !signal.aborted; ) {
      isWoken = false;
      const events = await readEvents(db, { organizationId, after: place, limit: BATCH });
      yield* events;
      place = events.at(-1) ?? place;
      if (events.length < BATCH && !isWoken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', end);
  }
}
