import pg from 'pg';
import { OperatorError } from '../errors/errors.ts';
import { READ_COMMITTED } from './session.ts';
import { isReported } from './sqlstates.ts';

/** What to do about a pooler that refuses transactions. */
const ADVICE =
  'A pooler in front of the database is in statement mode, in which transactions are impossible. Connect to the server itself (DATABASE_URL), or set the pooler to session or transaction mode (PgBouncer: pool_mode = transaction).';

/** Other clients of the pooler can take the connection that is waited for. */
const ROUNDS = 3;

/** Time limit of each statement of the check. */
const PATIENCE = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };

/**
 * Whether a pooler in transaction mode stands before the server, so that each transaction can get another session.
 * Throws an error that says what to do if it is in statement mode. A session has one server process of its own. If
 * transactions of other sessions run in it, or it has another one later, it is shared: a pooler gives the process of an
 * idle client to the next transaction, which this check holds open.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const opened: pg.Client[] = [];
  const open = async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'stemma check', ...PATIENCE });
    // Without a listener, a broken connection would end the process. Its statement fails anyway.
    client.on('error', () => {});
    opened.push(client);
    await client.connect();
    return client;
  };
  try {
    const session = await open();
    const firstProcess = await processAfter(session, READ_COMMITTED);
    for (let round = 0; round < ROUNDS; round++) {
      const other = await open();
      const otherProcess = await processAfter(other, OPEN_TRANSACTION);
      if (otherProcess === firstProcess || (await processAfter(session, READ_COMMITTED)) !== firstProcess) return true;
    }
    return false;
  } catch (error) {
    // In statement mode, PgBouncer refuses transactions.
    if (isReported(error) && error.code.startsWith('08')) throw new OperatorError(`${ADVICE} (${error.message})`);
    throw error;
  } finally {
    for (const client of opened) await client.end().catch(() => {});
  }
}

const SERVER_PROCESS = 'select pg_catalog.pg_backend_pid() as pid';

/** Returns the id of the server process that runs the statements of a connection. */
export async function serverProcessOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(SERVER_PROCESS);
  return rows[0]?.pid ?? 0;
}

/** Opens a transaction that the defaults of the role do not end while it is idle. */
const OPEN_TRANSACTION = `begin; ${READ_COMMITTED}; set local idle_in_transaction_session_timeout to 0`;

/**
 * Like `serverProcessOf`, but runs statements first, in the same message. For sessions without the service's settings.
 */
async function processAfter(client: pg.ClientBase, statements: string): Promise<number> {
  const results: unknown = await client.query(`${statements}; ${SERVER_PROCESS}`);
  const result = (results as pg.QueryResult<{ pid: number }>[]).at(-1); // one per statement of the message
  return result?.rows[0]?.pid ?? 0;
}
