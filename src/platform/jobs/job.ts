import type { z } from 'zod';
import { ANONYMOUS } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import { accessOutsideTransactions } from '../context/database-access.ts';
import type { Services } from '../context/services.ts';

/** Settings of a kind of job. */
export interface JobOptions {
  /** Number of retries before a job is dead. Default 5. */
  retries?: number;
  /** Delay of the first retry in seconds. It doubles with each retry, with jitter, up to an hour. Default 5. */
  retryDelay?: number;
  /** Time limit of an attempt in seconds. After it, the job is retried. Default 300. */
  expiresIn?: number;
  /** Number of concurrent jobs per process. Default 1. */
  concurrency?: number;
  /** Number of concurrent jobs per group. Groups take turns, so that one does not delay the others. */
  concurrencyPerGroup?: number;
  /** Schedule as a cron expression in UTC. Missed times run once. Runs never overlap. */
  cron?: string;
}

/** A kind of background job, with a schema for its data. */
export interface Job<Data extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly data: Data;
  readonly options: JobOptions;
  run(ctx: Context, data: z.output<Data>, run: JobRun): Promise<void>;
}

/** One attempt to run a job. */
export interface JobRun {
  /** Aborted when the process stops or the attempt exceeds its time limit. */
  readonly signal: AbortSignal;
  /** Number of previous attempts. */
  readonly retries: number;
}

/**
 * Declares a kind of background job. A job can run twice and can be killed at any point, so the next attempt must be
 * able to continue from any state. Errors cause a retry and, after the last one, a dead job.
 */
export const defineJob = <Data extends z.ZodObject>(
  name: string,
  data: Data,
  run: Job<Data>['run'],
  options: JobOptions = {},
): Job<Data> => ({ name, data, run, options });

/** The context of a job: no caller and no transaction. */
export const jobContext = (services: Services, requestId: string): Context => ({
  actor: ANONYMOUS,
  ...accessOutsideTransactions(services),
  services,
  requestId,
  log: services.log.child({ requestId }),
  inTransaction: false,
});
