import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Temporary errors of PostgreSQL: it is starting, shutting down, or has no free connections. */
const PASSING = new Set(['57P03', '57P01', '53300']);

/**
 * Waits until a database responds, with growing pauses and log messages. Permanent errors (a wrong password, an unknown
 * database) are thrown at once.
 */
export async function waitForDatabase(url: string, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const error = await tryDatabase(url);
    if (!error) return;
    if (!isPassing(error))
      throw new Error(`The database at ${withoutPassword(url)} refused the connection: ${error.message}`);
    log.warn(`The database at ${withoutPassword(url)} does not respond (${error.message}). Retrying in ${pause} ms.`);
    await sleep(pause);
  }
}

async function tryDatabase(url: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that breaks while it is closed must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => {});
  }
}

/** Errors without a PostgreSQL code come from the network. */
const isPassing = (error: Error) => !(error instanceof pg.DatabaseError) || PASSING.has(error.code ?? '');

export function withoutPassword(url: string): string {
  const address = new URL(url);
  address.password = '';
  return address.href;
}
