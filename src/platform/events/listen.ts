import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { openSession } from '../database/session.ts';
import { loggable } from '../loggable.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

export interface Listening {
  channel: string;
  /** Called on every notification, and when a connection begins: what came before it was not heard. */
  wake(): void;
  /** Ends it. */
  signal: AbortSignal;
  log: FastifyBaseLogger;
}

/** Listens on a connection of its own, and connects again whenever that is lost. Settles when it was ended. */
export async function listen(url: string, { channel, wake, signal, log }: Listening): Promise<void> {
  for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
    let client: pg.Client | undefined;
    try {
      client = await openSession(url, { application_name: 'stemma events', keepAlive: true });
      client.on('notification', wake);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      retryMs = FIRST_RETRY_MS;
      wake();
      await once(client, 'end', { signal });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: loggable(error) }, 'no connection for notifications; trying again');
    }
    await client?.end().catch(() => {});
    // Many processes that lost one server do not come back to it at one moment.
    await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
