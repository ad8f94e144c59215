import type { z } from 'zod';
import { ANONYMOUS } from '../access/actor.ts';
import { type Context, type Services, sessionOf } from '../context.ts';

/** How a kind of job is run. */
export interface JobOptions {
  /** How often it is tried again before it counts as dead. Default 5. */
  retries?: number;
  /** Seconds before the first retry; doubled from one to the next, with jitter, up to an hour. Default 5. */
  retryDelay?: number;
  /** Seconds after which a run that has not ended is given up and tried again. Default 300. */
  expiresIn?: number;
  /** How many of them one process runs at a time. Default 1. */
  concurrency?: number;
  /** The same among jobs of one group, so that one slow receiver does not keep the others waiting. */
  concurrencyPerGroup?: number;
  /** Runs it by itself at these times (cron, in UTC), once when some were missed, and never twice at a time. */
  cron?: string;
}

/** A kind of background work, with its data as a schema. */
export interface Job<Data extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly data: Data;
  readonly options: JobOptions;
  run(ctx: Context, data: z.output<Data>, run: JobRun): Promise<void>;
}

/** One attempt. */
export interface JobRun {
  /** Aborted when the process stops, or the run is given up. */
  readonly signal: AbortSignal;
  /** How many attempts there were before this one. */
  readonly retries: number;
}

/**
 * Declares background work. A job may run twice, and may be killed at any point: it must leave nothing that the next run
 * cannot go on from. What it throws makes it run again later, and in the end makes it a dead job.
 */
export const defineJob = <Data extends z.ZodObject>(
  name: string,
  data: Data,
  run: Job<Data>['run'],
  options: JobOptions = {},
): Job<Data> => ({ name, data, run, options });

/** What a job acts with: nobody in particular, and no transaction. */
export const jobContext = (services: Services, requestId: string): Context => ({
  actor: ANONYMOUS,
  ...sessionOf(services.em.fork()),
  services,
  requestId,
  log: services.log.child({ requestId }),
  inTransaction: false,
});
