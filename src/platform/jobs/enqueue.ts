import { sql } from 'kysely';
import { fromKysely } from 'pg-boss';
import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';
import type { Job } from './job.ts';
import { prioritiesByTurns } from './priorities-by-turns.ts';

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

/** Enqueues several jobs of a kind at once. Groups take turns if the kind limits them. */
export async function enqueueAll<Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  entries: ({ data: z.input<Data> } & EnqueueOptions)[],
): Promise<void> {
  if (entries.length === 0) return;
  const { jobs } = ctx.services;
  const takesTurns = job.options.concurrencyPerGroup !== undefined;
  const groups = entries.map(({ group = '' }) => group);
  const priorities = takesTurns ? await prioritiesByTurns(ctx, job.name, groups) : [];
  const rows = entries.map(({ data, startAfter, group }, index) => ({
    data: job.data.parse(data),
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(group === undefined ? {} : { group: { id: group } }),
    ...(takesTurns && { priority: priorities[index] }),
  }));
  await jobs.boss.insert(job.name, rows, { db: fromKysely(ctx.db) });
  ctx.afterCommit?.push(() => jobs.wake(job.name));
}

/**
 * Enqueues jobs, except those whose group already has a job of this kind, whatever its data, that is due within a
 * minute. Concurrent callers can each enqueue one.
 */
export async function enqueueUnlessWaiting<Data extends z.ZodObject>(
  ctx: Context,
  job: Job<Data>,
  entries: ({ data: z.input<Data>; group: string } & EnqueueOptions)[],
): Promise<void> {
  if (entries.length === 0) return;
  const { rows } = await sql<{ group: string }>`
    select distinct j.group_id as "group" from ${sql.table(`${JOBS_SCHEMA}.job`)} j
    where j.name = ${job.name} and j.state in ('created', 'retry')
      and j.start_after < now() + interval '1 minute' and j.group_id = any(${entries.map(({ group }) => group)}::text[])`.execute(
    ctx.db,
  );
  const waiting = new Set(rows.map(({ group }) => group));
  await enqueueAll(
    ctx,
    job,
    entries.filter(({ group }) => !waiting.has(group)),
  );
}
