import type { Context, Services } from '../context.ts';
import type { Database } from '../database/tables.ts';
import { jobContext } from '../jobs/job.ts';
import { loggable } from '../loggable.ts';
import { transact } from '../transact.ts';
import { BEFORE_EVENTS, type EventRow, endOfEvents, readEvents } from './read-events.ts';

/** One of the service's own readers of the events of all organizations. */
export interface EventConsumer {
  /** Under which its place is kept. */
  name: string;
  /**
   * Where it begins when it has no place yet. `first-event`: with everything that was ever recorded, for a reader that
   * can tell which of it was settled without it. `registration`: behind what was recorded before the first process
   * that knows the reader was started.
   */
  begins: 'first-event' | 'registration';
  /** Takes settled events, in their order. What it writes and its new place are one transaction: each is taken once. */
  take(ctx: Context, events: EventRow[]): Promise<void>;
}

const BATCH = 200;

/**
 * Gives readers that have none yet the place where they begin. Every process does so before it records anything, one
 * that runs no background work too: what is recorded before the first worker runs waits for it.
 */
export async function registerEventReaders(db: Database, readers: readonly EventConsumer[]): Promise<void> {
  for (const { name, begins } of readers) {
    const { transactionId, id: eventId } = begins === 'registration' ? await endOfEvents(db) : BEFORE_EVENTS;
    await db
      .insertInto('event_consumer')
      .values({ name, transactionId, eventId })
      .onConflict((existing) => existing.doNothing())
      .execute();
  }
}

/** Begins to read whenever there may be new events. Of many processes, one at a time reads for one name. */
export function startEventConsumer(services: Services, reader: EventConsumer): { stop(): Promise<void> } {
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;

  const run = async () => {
    while (isWoken && !isStopped) {
      isWoken = false;
      while (!isStopped && (await takeBatch(services, reader)) === BATCH);
    }
  };
  const wake = () => {
    isWoken = true;
    running ??= run()
      .catch((error) => services.log.error({ err: loggable(error), reader: reader.name }, 'events were not taken'))
      .finally(() => {
        running = undefined;
        // What came while the last batch ended.
        if (isWoken && !isStopped) wake();
      });
  };
  const unsubscribe = services.eventSignal.subscribe(wake);
  wake();
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await running;
    },
  };
}

/** Takes the next events, and answers how many they were; none while another process takes them. */
export function takeBatch(services: Services, { name, take }: EventConsumer): Promise<number> {
  const outside = jobContext(services, `events-${name}`);
  return transact(outside, { id: undefined, versions: undefined }, async (ctx) => {
    const place = await ctx.db
      .selectFrom('event_consumer')
      .where('name', '=', name)
      .select(['transactionId', 'eventId as id'])
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!place) return 0;
    const events = await readEvents(ctx.db, { after: place, limit: BATCH });
    const last = events.at(-1);
    if (!last) return 0;
    await take(ctx, events);
    await ctx.db
      .updateTable('event_consumer')
      .set({ transactionId: last.transactionId, eventId: last.id })
      .where('name', '=', name)
      .execute();
    return events.length;
  });
}
