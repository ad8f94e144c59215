import { fromKysely } from 'pg-boss';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Job } from './job.ts';

/**
 * Puts a job into the queue by the command's transaction: it is there if and only if the command was done. Times are in
 * seconds from now.
 */
export async function enqueue<Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  data: z.input<Data>,
  { startAfter }: { startAfter?: number } = {},
): Promise<void> {
  const { jobs } = ctx.services;
  await jobs.boss.send(job.name, job.data.parse(data), {
    db: fromKysely(ctx.db),
    ...(startAfter === undefined ? {} : { startAfter }),
  });
  if (startAfter === undefined) ctx.afterCommit?.push(() => jobs.wake(job.name));
}
