import type { Context } from '../context/context.ts';
import { chargeWhenAllowed } from '../query-cost/admission.ts';
import { type EventPosition, type EventRow, readEvents } from './read-events.ts';

const EVENTS_PER_BATCH = 50;

export interface EventStreamOptions {
  /** The organizations whose events are read. They may become others while an event is being processed. */
  organizationsOf(): readonly string[];
  after: EventPosition;
  signal: AbortSignal;
}

/**
 * The events of some organizations after a position, including future ones, until `signal` is aborted. Positions are in
 * the order of all organizations, so that the stream continues in others without a gap.
 */
export async function* eventStream(ctx: Context, options: EventStreamOptions): AsyncGenerator<EventRow, void> {
  for await (const events of batches(ctx, options, 1)) yield* events;
}

/**
 * Yields the events that are available, as batches. After the set of organizations has changed, earlier events of the
 * added ones may be missing, so use it only to learn what to read again.
 */
export const eventBatches = (ctx: Context, options: EventStreamOptions): AsyncGenerator<EventRow[], void> =>
  batches(ctx, options, EVENTS_PER_BATCH);

/**
 * Charges the caller of a stream for work that delivers nothing, which no limit of requests bounds. Waits while the
 * caller has used up the allowance, until `signal` is aborted.
 */
export const chargeStream = (ctx: Context, cost: number, signal: AbortSignal): Promise<void> =>
  chargeWhenAllowed(ctx, cost, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

async function* batches(
  ctx: Context,
  { organizationsOf, after, signal }: EventStreamOptions,
  size: number,
): AsyncGenerator<EventRow[], void> {
  const { db, services } = ctx;
  let wake = () => {};
  let isWoken = false;
  const unsubscribe = services.eventSignal.subscribe(() => {
    isWoken = true;
    wake();
  });
  const end = () => wake();
  signal.addEventListener('abort', end, { once: true });
  try {
    for (let position = after; !signal.aborted; ) {
      isWoken = false;
      const organizationIds = organizationsOf();
      const isCurrent = () => organizationsOf().join() === organizationIds.join();
      const events = await readEvents(db, { organizationIds, after: position, limit: EVENTS_PER_BATCH });
      // A full batch is one of many that were recorded before: streams can start anywhere in the history of an
      // organization.
      if (events.length === EVENTS_PER_BATCH) await chargeStream(ctx, events.length, signal);
      for (let from = 0; from < events.length && isCurrent(); from += size) {
        const batch = events.slice(from, from + size);
        yield batch;
        position = batch.at(-1) ?? position;
      }
      const isBehind = events.length === EVENTS_PER_BATCH || !isCurrent();
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
