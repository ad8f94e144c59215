import type { Context } from '../context/context.ts';
import { type EventPosition, type EventRow, readEvents } from './read-events.ts';

const BATCH = 50;

export interface EventStreamOptions {
  /** The organizations whose events are read. They may become others while an event is being processed. */
  organizationsOf(): readonly string[];
  after: EventPosition;
  signal: AbortSignal;
}

/**
 * The events of some organizations after a position, including future ones, until `signal` is aborted. Positions are in the
 * order of all organizations, so that the stream continues in others without a gap.
 */
export async function* eventStream(
  { db, services }: Context,
  { organizationsOf, after, signal }: EventStreamOptions,
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
      const organizationIds = organizationsOf();
      const isCurrent = () => organizationsOf().join() === organizationIds.join();
      const events = await readEvents(db, { organizationIds, after: place, limit: BATCH });
      for (const event of events) {
        yield event;
        place = event;
        if (!isCurrent()) break;
      }
      const isBehind = events.length === BATCH || !isCurrent();
      if (!isBehind && !isWoken && !signal.aborted) {
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
