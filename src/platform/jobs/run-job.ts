import type { JobWithMetadata } from 'pg-boss';
import { linkSignals } from '../../lib/link-signals.ts';
import type { Services } from '../context/services.ts';
import { abortable } from '../database/abortable.ts';
import { loggable } from '../log/loggable.ts';
import { type Job, jobContext } from './job.ts';

/** Time that an attempt has to record how it ended, once its signal is aborted. Statements that still run then hang. */
const CANCELLED_AFTER_MS = 30_000;

/** Runs one attempt. The log contains the whole error, the queue only its type and message. */
export async function runJob(
  services: Services,
  job: Job,
  attempt: JobWithMetadata | undefined,
  stopping: AbortSignal,
): Promise<void> {
  if (!attempt) return;
  const { id, data, retryCount, retryLimit } = attempt;
  using linked = linkSignals([attempt.signal, stopping]);
  const ctx = jobContext(services, `job-${id}`);
  const started = performance.now();
  const controller = new AbortController();
  using _ = cancelAfter(attempt.signal, controller);
  try {
    const run = () => job.run(ctx, job.data.parse(data ?? {}), { signal: linked.signal, retries: retryCount });
    await abortable(controller.signal, run, ctx.log.child({ job: job.name }));
    ctx.log.debug({ job: job.name, milliseconds: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    const isLast = retryCount >= retryLimit;
    ctx.log[isLast ? 'error' : 'warn'](
      { job: job.name, retries: retryCount, err: loggable(error) },
      isLast ? 'job failed for good' : 'job failed; it will be retried',
    );
    const { type, message } = loggable(error);
    throw new Error(`${type}: ${message}`);
  }
}

/** Cancels statements some time after the signal is aborted, unless it is disposed before. */
function cancelAfter(signal: AbortSignal, controller: AbortController): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => controller.abort(new Error('The attempt has ended, and its statements were cancelled.'));
  const begin = () => {
    timer = setTimeout(cancel, CANCELLED_AFTER_MS).unref();
  };
  signal.addEventListener('abort', begin, { once: true });
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      // The queue also aborts the signal of an attempt that has ended as usual.
      signal.removeEventListener('abort', begin);
    },
  };
}
