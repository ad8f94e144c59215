import type { JobWithMetadata } from 'pg-boss';
import { Cancellation } from '../context/cancellation.ts';
import type { Services } from '../context/services.ts';
import { abortable } from '../database/abortable.ts';
import { loggable } from '../log/loggable.ts';
import { type Job, jobContext } from './job.ts';

/** Runs one attempt. The log contains the whole error, the queue only its type and message. */
export async function runJob(
  services: Services,
  job: Job,
  attempt: JobWithMetadata | undefined,
  stopping: AbortSignal,
): Promise<void> {
  if (!attempt) return;
  const { id, data, retryCount, retryLimit } = attempt;
  const signal = AbortSignal.any([attempt.signal, stopping]);
  const ctx = jobContext(services, `job-${id}`);
  const started = performance.now();
  // Never cancelled: it names the job in the log of faults that its code does not handle.
  const cancellation = new Cancellation();
  cancellation.log = ctx.log.child({ job: job.name });
  try {
    await abortable(cancellation, () => job.run(ctx, job.data.parse(data ?? {}), { signal, retries: retryCount }));
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
