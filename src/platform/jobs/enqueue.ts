import { fromKysely } from 'pg-boss';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Job } from './job.ts';

/** How a job is put into the queue. */
export interface EnqueueOptions {
  /** Seconds from now before it runs. */
  startAfter?: number;
  /** Jobs that may run beside each other only in small number (`concurrencyPerGroup`). */
  group?: string;
}

/** Puts a job into the queue by the command's transaction: it is there if and only if the command was done. */
export const enqueue = <Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  data: z.input<Data>,
  options: EnqueueOptions = {},
): Promise<void> => enqueueAll(ctx, job, [{ data, ...options }]);

/** `enqueue` for many jobs of a kind, in one statement. */
export async function enqueueAll<Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  wanted: ({ data: z.input<Data> } & EnqueueOptions)[],
): Promise<void> {
  if (wanted.length === 0) return;
  const { jobs } = ctx.services;
  const rows = wanted.map(({ data, startAfter, group }) => ({
    data: job.data.parse(data),
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(group === undefined ? {} : { group: { id: group } }),
  }));
  await jobs.boss.insert(job.name, rows, { db: fromKysely(ctx.db) });
  ctx.afterCommit?.push(() => jobs.wake(job.name));
}
