import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { openSession } from '../database/session.ts';
import { loggable } from '../log/loggable.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

export interface ChannelListener {
  channel: string;
  /** Called on every notification and on every new connection, since earlier notifications may have been missed. */
  wake(): void;
  signal: AbortSignal;
  log: FastifyBaseLogger;
}

/** Listens on a dedicated connection and reconnects when it is lost. Resolves after `signal` is aborted. */
export async function listen(url: string, { channel, wake, signal, log }: ChannelListener): Promise<void> {
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
      if (!signal.aborted) log.warn({ err: loggable(error) }, 'connection for notifications lost, retrying');
    }
    await client?.end().catch(() => {});
    // Jitter, so that many processes do not reconnect at the same time.
    await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
