import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Errors of PostgreSQL that waiting mends: it is starting up, shutting down, or full. */
const PASSING = new Set(['57P03', '57P01', '53300']);

/**
 * Waits until the database at an address answers, trying again with growing pauses and saying so. What waiting cannot
 * mend (a wrong password, an unknown database) is thrown at once.
 */
export async function waitForDatabase(url: string, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const error = await tryDatabase(url);
    if (!error) return;
    if (!isPassing(error)) throw new Error(`The database at ${withoutPassword(url)} refuses: ${error.message}`);
    log.warn(
      `The database at ${withoutPassword(url)} does not answer (${error.message}); trying again in ${pause} ms.`,
    );
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

/** An error without a code of PostgreSQL's own comes from the network. */
const isPassing = (error: Error) => !(error instanceof pg.DatabaseError) || PASSING.has(error.code ?? '');

export function withoutPassword(url: string): string {
  const address = new URL(url);
  address.password = '';
  return address.href;
}
