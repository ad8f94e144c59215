import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { READ_ONLY_TEXT } from './database-faults.ts';
import { isReported, sqlStateOf } from './sqlstates.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Waits until a database responds and can be written, with growing pauses and log messages. Permanent errors (a wrong
 * password, an unknown database) are thrown at once.
 */
export async function waitForDatabase(url: string, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const fault = await tryDatabase(url);
    if (!fault) return;
    if (fault.isPermanent) throw new Error(`The database at ${withoutPassword(url)} ${fault.text}`);
    log.warn(`The database at ${withoutPassword(url)} ${fault.text}. Retrying in ${pause} ms.`);
    await sleep(pause);
  }
}

interface Fault {
  text: string;
  isPermanent: boolean;
}

async function tryDatabase(url: string): Promise<Fault | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that breaks while it is closed must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ mode: string }>(`select current_setting('transaction_read_only') as mode`);
    return rows[0]?.mode === 'on' ? { text: `cannot be written. ${READ_ONLY_TEXT}`, isPermanent: false } : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return isPassing(error)
      ? { text: `does not respond (${reason})`, isPermanent: false }
      : { text: `refused the connection: ${reason}${adviceFor(error, url)}`, isPermanent: true };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Wrong credentials and names. A running service takes them for passing, since they were right before. */
const PERMANENT = /^(?:28|3D)/;

/** Errors without an SQLSTATE come from the network. */
const isPassing = (error: unknown) =>
  !isReported(error) || (sqlStateOf(error) !== undefined && !PERMANENT.test(error.code));

const INSUFFICIENT_PRIVILEGE = '42501';

/** The `grant` that is missing where a role may not connect. */
export function adviceFor(error: unknown, url: string): string {
  if (!isReported(error) || error.code !== INSUFFICIENT_PRIVILEGE) return '';
  const { username, pathname } = new URL(url);
  const [role, database] = [username, pathname.slice(1)].map((name) => pg.escapeIdentifier(decodeURIComponent(name)));
  return `. As an administrator of the database: grant connect on database ${database} to ${role};`;
}

/** The URL of a database without its passwords, which parameters can contain too. */
export function withoutPassword(url: string): string {
  const address = new URL(url);
  address.password = '';
  for (const name of ['password', 'sslpassword']) address.searchParams.delete(name);
  return address.href;
}
