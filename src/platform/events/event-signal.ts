import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { loggable } from '../loggable.ts';
import { listen } from './listen.ts';

/** Tells readers of events, in every process, that there may be new ones. Only ever a hint: events are in the table. */
export interface EventSignal {
  /** Wakes all readers soon. Calls that come close together become one notification. */
  raise(): void;
  /**
   * Calls `wake` when there may be new events: after a notification, after a connection that was lost is back, and
   * every few seconds in any case. Answers how to stop.
   */
  subscribe(wake: () => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'stemma_event';

/** Transactions that notify commit one after the other, in the whole cluster, so that a busy process sends few. */
const COALESCE_MS = 20;

const POLL_MS = 3_000;

/** What has just committed may not be settled yet, since others are still at work. */
const AGAIN_MS = [60, 400];

/** Listens on one connection of its own from the first subscription on; `db` sends. */
export function makeEventSignal(databaseUrl: string, db: Database, log: FastifyBaseLogger): EventSignal {
  const subscribers = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of subscribers) wake();
  };
  const waking = repeated(wakeAll);
  const stopping = new AbortController();
  const { signal } = stopping;
  let listening: Promise<void> | undefined;
  let poll: NodeJS.Timeout | undefined;
  const sending = new Set<Promise<void>>();
  let isPlanned = false;

  const send = async () => {
    try {
      await sleep(COALESCE_MS);
      isPlanned = false;
      if (!signal.aborted) await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
    } catch (error) {
      // Readers look by themselves before long.
      log.debug({ err: loggable(error) }, 'no notification of events was sent');
    }
  };
  return {
    raise() {
      if (signal.aborted || isPlanned) return;
      isPlanned = true;
      const sent = send().finally(() => sending.delete(sent));
      sending.add(sent);
    },
    subscribe(wake) {
      subscribers.add(wake);
      listening ??= listen(databaseUrl, { channel: CHANNEL, wake: waking.now, signal, log });
      poll ??= setInterval(wakeAll, POLL_MS).unref();
      return () => void subscribers.delete(wake);
    },
    async close() {
      stopping.abort();
      clearInterval(poll);
      waking.stop();
      await Promise.all([...sending, listening]);
    },
  };
}

/** Wakes now and, once for all who come meanwhile, a little later. */
function repeated(wake: () => void): { now(): void; stop(): void } {
  const planned = new Map<number, NodeJS.Timeout>();
  return {
    now() {
      wake();
      for (const milliseconds of AGAIN_MS) {
        if (planned.has(milliseconds)) continue;
        const again = () => {
          planned.delete(milliseconds);
          wake();
        };
        planned.set(milliseconds, setTimeout(again, milliseconds).unref());
      }
    },
    stop() {
      for (const timer of planned.values()) clearTimeout(timer);
    },
  };
}
