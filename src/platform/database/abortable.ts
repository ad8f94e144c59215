import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import type { PoolClient } from 'pg';

const signals = new AsyncLocalStorage<AbortSignal>();

/** How long a cancelled statement may take to end before its connection is cut. */
const CUT_AFTER_MS = 5_000;

/**
 * Does something whose statements end with the signal: those under way are cancelled in the database, none starts any
 * more, and each fails with the signal's reason. Transactions roll back.
 */
export const abortable = <Result>(signal: AbortSignal, act: () => Result): Result => signals.run(signal, act);

/**
 * Runs one statement on a connection under the signal of `abortable`, if there is one. A rollback is sent in any case:
 * however a transaction came to an end, its connection goes back without it.
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
    // Or the server might cancel what the connection does next, for somebody else.
    await cancelled;
  }
}

/** Members of the driver's client that its types leave out. */
type Session = PoolClient & {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
  connection: { stream: { destroy(): void } };
};

/**
 * Asks the server to cancel what a connection does, over a connection that is for this alone and needs no place in the
 * pool (PostgreSQL, "Canceling Requests in Progress"). Resolves when the server has passed it on.
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
    // The server answers nothing and hangs up.
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
