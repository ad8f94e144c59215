import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import type { PoolClient } from 'pg';
import { markHandled } from '../../lib/mark-handled.ts';
import type { Cancellation } from '../cancellation.ts';

const cancellations = new AsyncLocalStorage<Cancellation>();

/** Time after which the connection of a cancelled statement is closed if the statement has not ended. */
const CUT_AFTER_MS = 5_000;

/**
 * Runs a function whose statements are cancelled with it: running ones are cancelled in the database, new ones fail, all
 * with the reason of the cancellation. Transactions are rolled back.
 */
export const abortable = <Result>(cancellation: Cancellation, act: () => Result): Result =>
  cancellations.run(cancellation, act);

/** The cancellation of `abortable` that the caller runs in, if there is one. */
export const currentCancellation = (): Cancellation | undefined => cancellations.getStore();

/**
 * Runs a statement within the cancellation of `abortable`, if there is one. Rollbacks ignore it, since they must be sent
 * before the connection is returned.
 */
export async function heedCancellation<Result>(
  client: PoolClient,
  text: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const cancellation = cancellations.getStore();
  if (!cancellation || text.startsWith('rollback')) return run();
  cancellation.throwIfCancelled();
  return untilCancelled(client, run(), cancellation);
}

async function untilCancelled<Result>(client: PoolClient, running: Promise<Result>, cancellation: Cancellation) {
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = markHandled(cancelStatement(client, running));
  };
  cancellation.on(cancel);
  try {
    return await running;
  } catch (error) {
    throw cancellation.reason ?? error;
  } finally {
    cancellation.off(cancel);
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
