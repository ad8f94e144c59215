import { AsyncLocalStorage } from 'node:async_hooks';
import { markHandled } from '../../lib/mark-handled.ts';
import { ApiError } from '../errors/errors.ts';
import type { FaultLog } from '../log/fault-log.ts';

/** What `abortable` runs with. */
interface Run {
  signal: AbortSignal;
  log: FaultLog | undefined;
}

const runs = new AsyncLocalStorage<Run>();

/**
 * Runs a function whose statements are cancelled with the signal: running ones are cancelled in the database, new ones
 * fail, all with the reason of the signal. Transactions are rolled back. `log` is that of the request or job, for
 * faults that its code does not handle.
 */
export const abortable = <Result>(signal: AbortSignal, act: () => Result, log?: FaultLog): Result =>
  runs.run({ signal, log }, act);

/**
 * Runs a function whose statements are cancelled after a time in milliseconds. For work that no request waits for: on a
 * connection to a server that is gone without closing it, a statement would hang for as long as the system repeats
 * sending it, about 15 minutes. Fails with SERVICE_UNAVAILABLE then.
 */
export async function cancelledAfter<Result>(milliseconds: number, act: () => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const cancel = () =>
    controller.abort(new ApiError('SERVICE_UNAVAILABLE', 'The database did not respond in time. Try again later.'));
  const timer = setTimeout(cancel, milliseconds).unref();
  try {
    return await abortable(controller.signal, act);
  } finally {
    clearTimeout(timer);
  }
}

/** The signal of `abortable` that the caller runs in, if there is one. */
export const currentSignal = (): AbortSignal | undefined => runs.getStore()?.signal;

/** The log of `abortable` that the caller runs in, if there is one. */
export const currentLog = (): FaultLog | undefined => runs.getStore()?.log;

/**
 * Runs a statement within the signal of `abortable`, if there is one. Rollbacks ignore it, since they must be sent
 * before the connection is returned. `cancelStatement` resolves when later statements on the connection are safe from
 * it.
 */
export async function runCancellable<Result>(
  text: string,
  run: () => Promise<Result>,
  cancelStatement: (running: Promise<unknown>) => Promise<void>,
): Promise<Result> {
  const signal = currentSignal();
  if (!signal || text.startsWith('rollback')) return run();
  signal.throwIfAborted();
  return untilCancelled(run(), signal, cancelStatement);
}

async function untilCancelled<Result>(
  running: Promise<Result>,
  signal: AbortSignal,
  cancelStatement: (running: Promise<unknown>) => Promise<void>,
) {
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = markHandled(cancelStatement(running));
  };
  signal.addEventListener('abort', cancel);
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
