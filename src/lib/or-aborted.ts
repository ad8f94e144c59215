import { markHandled } from './mark-handled.ts';

/**
 * The result of some work. Rejects with the signal's reason as soon as the signal is aborted, even if the work goes on.
 */
export async function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  markHandled(work);
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
