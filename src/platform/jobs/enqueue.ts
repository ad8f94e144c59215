import { fromKysely } from 'pg-boss';
import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import type { Job } from './job.ts';

/** Options for enqueuing a job. */
export interface EnqueueOptions {
  /** Delay in seconds. */
  startAfter?: number;
  /** Group of jobs that `concurrencyPerGroup` applies to. */
  group?: string;
}

/** Enqueues a job in the transaction of the command: the job exists if and only if the command commits. */
export const enqueue = <Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  data: z.input<Data>,
  options: EnqueueOptions = {},
): Promise<void> => enqueueAll(ctx, job, [{ data, ...options }]);

/** Enqueues several jobs of a kind with one statement. */
export async function enqueueAll<Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  entries: ({ data: z.input<Data> } & EnqueueOptions)[],
): Promise<void> {
  if (entries.length === 0) return;
  const { jobs } = ctx.services;
  const rows = entries.map(({ data, startAfter, group }) => ({
    data: job.data.parse(data),
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(group === undefined ? {} : { group: { id: group } }),
  }));
  await jobs.boss.insert(job.name, rows, { db: fromKysely(ctx.db) });
  ctx.afterCommit?.push(() => jobs.wake(job.name));
}
