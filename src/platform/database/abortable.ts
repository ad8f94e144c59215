import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import type { PoolClient } from 'pg';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Time after which the connection of a cancelled statement is closed if the statement has not ended. */
const CUT_AFTER_MS = 5_000;

/**
 * Runs a function whose statements are cancelled by the signal: running ones are cancelled in the database, new ones
 * fail, all with the signal's reason. Transactions are rolled back.
 */
export const abortable = <Result>(signal: AbortSignal, act: () => Result): Result => signals.run(signal, act);

/**
 * Runs a statement with the signal of `abortable`, if there is one. Rollbacks ignore the signal, since they must be sent
 * before the connection is returned.
 */
export async function heedSignal<Result>(
  client: PoolClient,
  text: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const signal = signals.getStore();
  if (!signal || text.startsWith('rollback')) return run();
  signal.throwIfAborted();
  return untilAborted(client, run(), signal);
}

async function untilAborted<Result>(client: PoolClient, running: Promise<Result>, signal: AbortSignal) {
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = cancelStatement(client, running);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await running;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // Otherwise the server might cancel the next statement on this connection.
    await cancelled;
  }
}

/** Properties of the driver's client that are missing in its types. */
type Session = PoolClient & {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
  connection: { stream: { destroy(): void } };
};

/**
 * Cancels the running statement of a connection over a separate connection that does not count towards the pool
 * (PostgreSQL, "Canceling Requests in Progress"). Resolves when the server has processed the request.
 */
function cancelStatement(client: PoolClient, running: Promise<unknown>): Promise<void> {
  const { host, port, processID, secretKey, connection } = client as Session; // see there
  const cut = setTimeout(() => connection.stream.destroy(), CUT_AFTER_MS);
  const keep = () => clearTimeout(cut);
  running.then(keep, keep);
  return new Promise((resolve) => {
    const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
    const socket = connect(address, () => socket.write(cancelRequest(processID, secretKey)));
    socket.setTimeout(CUT_AFTER_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    // The server closes the connection without a response.
    socket.on('close', () => resolve());
    socket.resume();
  });
}

function cancelRequest(processId: number, secretKey: number): Buffer {
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(80_877_102, 4);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secretKey, 12);
  return message;
}
