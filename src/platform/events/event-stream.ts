import type { Context } from '../context/context.ts';
import { type EventPosition, type EventRow, readEvents } from './read-events.ts';

const BATCH = 50;

export interface EventStreamOptions {
  /** The organization whose events are read. It may become another one while an event is being processed. */
  organizationOf(): string;
  after: EventPosition;
  signal: AbortSignal;
}

/**
 * The events of an organization after a position, including future ones, until `signal` is aborted. Positions are in the
 * order of all organizations, so that the stream continues in another one without a gap.
 */
export async function* eventStream(
  { db, services }: Context,
  { organizationOf, after, signal }: EventStreamOptions,
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
      const organizationId = organizationOf();
      const events = await readEvents(db, { organizationId, after: place, limit: BATCH });
      for (const event of events) {
        yield event;
        place = event;
        if (organizationOf() !== organizationId) break;
      }
      const isBehind = events.length === BATCH || organizationOf() !== organizationId;
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
