import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { markHandled } from '../../lib/mark-handled.ts';
import { outsideOfRequests } from '../context/outside-of-requests.ts';
import type { Database } from '../database/tables.ts';
import { loggable } from '../log/loggable.ts';
import { listen } from './listen.ts';

/** Signals to all processes that there may be new events. Only a hint: the events are in the table. */
export interface EventSignal {
  /** Wakes all subscribers soon. Calls in quick succession are sent as one notification. */
  raise(): void;
  /**
   * Calls `wake` when there may be new events: after a notification, after reconnecting, and every few seconds in any
   * case. Returns a function that unsubscribes.
   */
  subscribe(wake: () => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'stemma_event';

/** PostgreSQL serializes commits of transactions that notify, in the whole cluster. This limits their number. */
const COALESCE_MS = 20;

const POLL_MS = 3_000;

/** Without notifications. */
const POLL_ALONE_MS = 1_000;

/** Delays of further reads, since a committed event is only settled once older transactions have ended. */
const AGAIN_MS = [60, 400];

/**
 * Sends through `db`. Listens on a dedicated connection, or polls every second if there is no URL of a server that
 * gives it a session of its own. Listening begins at once, also in processes without subscribers: what asks whether a
 * process runs looks for sessions (`isAlone`, `refuseWhileRunning`), and an idle process has no other.
 */
export function makeEventSignal(url: string | undefined, db: Database, log: FastifyBaseLogger): EventSignal {
  const subscribers = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of subscribers) wake();
  };
  const waking = repeated(wakeAll);
  const stopping = new AbortController();
  const { signal } = stopping;
  const listening = markHandled(
    url === undefined ? Promise.resolve() : listen(url, { channel: CHANNEL, wake: waking.now, signal, log }),
  );
  const poll = setInterval(wakeAll, url === undefined ? POLL_ALONE_MS : POLL_MS).unref();
  const sending = new Set<Promise<void>>();
  let isPlanned = false;

  const send = async () => {
    try {
      await sleep(COALESCE_MS);
      isPlanned = false;
      if (!signal.aborted) await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
    } catch (error) {
      // Subscribers also poll.
      log.debug({ err: loggable(error) }, 'event notification not sent');
    }
  };
  return {
    raise() {
      if (signal.aborted || isPlanned) return;
      isPlanned = true;
      const sent = markHandled(outsideOfRequests(send).finally(() => sending.delete(sent)));
      sending.add(sent);
    },
    subscribe(wake) {
      subscribers.add(wake);
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

/** Wakes now and after each delay. Calls during a delay share its wake-up. */
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
