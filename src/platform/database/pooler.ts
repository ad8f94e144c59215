import type pg from 'pg';
import { openSession } from './session.ts';
import { isReported } from './sqlstates.ts';

/** What to do about a pooler that shares connections between transactions. */
const ADVICE =
  "A pooler in front of the database gives each transaction another connection, which loses settings, prepared statements and notifications of the service's sessions. Connect to the server itself (DATABASE_URL), or set the pooler to session mode (PgBouncer: pool_mode = session).";

/** Other clients of the pooler can take the connection that is waited for. */
const ROUNDS = 3;

/** Time limit of each statement of the check. */
const PATIENCE = { query_timeout: 5_000 };

/**
 * Whether a pooler in transaction or statement mode stands before the server, as a message that says what to do. A session has
 * one server process of its own. If transactions of other sessions run in it, or it has another one later, it is shared: a
 * pooler gives the process of an idle client to the next transaction, which this check holds open.
 */
export async function poolerFault(url: string): Promise<string | undefined> {
  const opened: pg.Client[] = [];
  const open = async () => {
    const client = await openSession(url, { application_name: 'stemma check', ...PATIENCE });
    opened.push(client);
    return client;
  };
  try {
    const session = await open();
    const own = await serverProcessOf(session);
    for (let round = 0; round < ROUNDS; round++) {
      const other = await open();
      await other.query('begin');
      if ((await serverProcessOf(other)) === own || (await serverProcessOf(session)) !== own) return ADVICE;
    }
    return undefined;
  } catch (error) {
    // In statement mode, PgBouncer refuses transactions.
    if (isReported(error) && error.code.startsWith('08')) return `${ADVICE} (${error.message})`;
    throw error;
  } finally {
    for (const client of opened) await client.end().catch(() => {});
  }
}

/** Throws an error that says what to do if a pooler shares connections between transactions. */
export async function rejectPooler(url: string): Promise<void> {
  const fault = await poolerFault(url);
  if (fault !== undefined) throw new Error(fault);
}

/** Returns the id of the server process that runs the statements of a connection. */
export async function serverProcessOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
