import { AsyncLocalStorage } from 'node:async_hooks';
import { markHandled } from '../../lib/mark-handled.ts';
import { Cancellation } from '../context/cancellation.ts';
import { ApiError } from '../errors/errors.ts';

const cancellations = new AsyncLocalStorage<Cancellation>();

/**
 * Runs a function whose statements are cancelled with it: running ones are cancelled in the database, new ones fail, all
 * with the reason of the cancellation. Transactions are rolled back.
 */
export const abortable = <Result>(cancellation: Cancellation, act: () => Result): Result =>
  cancellations.run(cancellation, act);

/**
 * Runs a function whose statements are cancelled after a time in milliseconds. For work that no request waits for: on a connection to a
 * server that is gone without closing it, a statement would hang for as long as the system repeats sending it, about 15 minutes. Fails with
 * SERVICE_UNAVAILABLE then.
 */
export async function cancelledAfter<Result>(milliseconds: number, act: () => Promise<Result>): Promise<Result> {
  const cancellation = new Cancellation();
  const cancel = () =>
    cancellation.cancel(new ApiError('SERVICE_UNAVAILABLE', 'The database did not respond in time. Try again later.'));
  const timer = setTimeout(cancel, milliseconds).unref();
  try {
    return await abortable(cancellation, act);
  } finally {
    clearTimeout(timer);
  }
}

/** The cancellation of `abortable` that the caller runs in, if there is one. */
export const currentCancellation = (): Cancellation | undefined => cancellations.getStore();

/**
 * Runs a statement within the cancellation of `abortable`, if there is one. Rollbacks ignore it, since they must be sent
 * before the connection is returned. `cancelStatement` resolves when later statements on the connection are safe from it.
 */
export async function runCancellable<Result>(
  text: string,
  run: () => Promise<Result>,
  cancelStatement: (running: Promise<unknown>) => Promise<void>,
): Promise<Result> {
  const cancellation = cancellations.getStore();
  if (!cancellation || text.startsWith('rollback')) return run();
  cancellation.throwIfCancelled();
  return untilCancelled(run(), cancellation, cancelStatement);
}

async function untilCancelled<Result>(
  running: Promise<Result>,
  cancellation: Cancellation,
  cancelStatement: (running: Promise<unknown>) => Promise<void>,
) {
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = markHandled(cancelStatement(running));
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
