import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Job } from '../jobs/job.ts';
import type { Metrics } from './metrics.ts';

const tracer = trace.getTracer('stemma');

/** Wraps a job to measure and trace its attempts. */
export const observeJob = (job: Job, metrics: Pick<Metrics, 'job'>): Job => ({
  ...job,
  run: (ctx, data, attempt) =>
    tracer.startActiveSpan(
      `job ${job.name}`,
      { attributes: { 'stemma.job.retries': attempt.retries } },
      async (span) => {
        const started = performance.now();
        let isGood = false;
        try {
          await job.run(ctx, data, attempt);
          isGood = true;
        } finally {
          metrics.job(job.name, isGood, (performance.now() - started) / 1_000);
          if (!isGood) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        }
      },
    ),
});
