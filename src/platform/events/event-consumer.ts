import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { Context } from '../context/context.ts';
import type { Services } from '../context/services.ts';
import { cancelledAfter } from '../database/abortable.ts';
import type { Database } from '../database/tables.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { jobContext } from '../jobs/job.ts';
import { loggable } from '../log/loggable.ts';
import { transact } from '../operation/transact.ts';
import { BEFORE_EVENTS, type EventRow, endOfEvents, readEvents } from './read-events.ts';

/** A part of the service that processes the events of all organizations. */
export interface EventConsumer {
  /** Key of its stored position. */
  name: string;
  /**
   * Where it starts. `first-event`: with the first event ever recorded, for consumers that recognize events which need
   * no processing. `registration`: after the events that were recorded before the consumer was registered.
   */
  begins: 'first-event' | 'registration';
  /**
   * Processes settled events in their order. Its writes and its new position are one transaction: each event is
   * processed once.
   */
  take(ctx: Context, events: EventRow[]): Promise<void>;
}

const EVENTS_PER_BATCH = 200;
/** Rests are four times as long as the batch before them: a consumer works for at most a fifth of the time. */
const REST_FACTOR = 4;
/** A batch that takes longer than a quarter of this waits for locks or for the database more than it works. */
const MAX_REST_MS = 5_000;
/**
 * Time limit of a batch. One that takes longer most likely waits for a server that is gone without closing its
 * connections, which are closed then.
 */
const BATCH_WITHIN_MS = 2 * MINUTE_MS;

/**
 * Stores the start positions of new consumers. Every process does so before it records events, even if it runs no
 * background jobs, so that consumers get all events from before the first worker starts.
 */
export async function registerEventConsumers(db: Database, consumers: readonly EventConsumer[]): Promise<void> {
  for (const { name, begins } of consumers) {
    const { transactionId, id: eventId } = begins === 'registration' ? await endOfEvents(db) : BEFORE_EVENTS;
    await db
      .insertInto('event_consumer')
      .values({ name, transactionId, eventId })
      .onConflict((existing) => existing.doNothing())
      .execute();
  }
}

/** A consumer that runs. `stop` waits for the current batch. */
export interface StartedConsumer {
  stop(): Promise<void>;
}

/**
 * Processes events whenever there may be new ones: the first at once, more of them in batches with rests. Only one
 * process at a time does so for each consumer.
 */
export function startEventConsumer(services: Services, consumer: EventConsumer): StartedConsumer {
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();

  const run = async () => {
    while (isWoken && !isStopped) {
      const began = performance.now();
      isWoken = false;
      try {
        if ((await cancelledAfter(BATCH_WITHIN_MS, () => claimBatch(services, consumer))) === EVENTS_PER_BATCH)
          isWoken = true;
      } finally {
        await rest(performance.now() - began, stopping.signal);
      }
    }
  };
  const wake = () => {
    isWoken = true;
    running ??= run()
      .catch((error) => {
        const level = unavailabilityOf(error) ? 'warn' : 'error';
        services.log[level]({ err: loggable(error), consumer: consumer.name }, 'event consumer failed');
      })
      .finally(() => {
        running = undefined;
        // A signal may have arrived while the last batch ended.
        if (isWoken && !isStopped) wake();
      });
  };
  const unsubscribe = services.eventSignal.subscribe(wake);
  wake();
  return {
    async stop() {
      isStopped = true;
      stopping.abort();
      unsubscribe();
      await running;
    },
  };
}

/** Waits after a batch, also after one that failed. Events that arrive meanwhile are read together. */
const rest = (workedMs: number, signal: AbortSignal) =>
  sleep(Math.min(MAX_REST_MS, REST_FACTOR * workedMs), undefined, { signal }).catch(() => {}); // stopped

/** Processes the next events and returns their number. 0 while another process does. */
export function claimBatch(services: Services, { name, take }: EventConsumer): Promise<number> {
  const outside = jobContext(services, `events-${name}`);
  return transact(outside, async (ctx) => {
    const position = await ctx.db
      .selectFrom('event_consumer')
      .where('name', '=', name)
      .select(['transactionId', 'eventId as id'])
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!position) return 0;
    const events = await readEvents(ctx.db, { after: position, limit: EVENTS_PER_BATCH });
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
