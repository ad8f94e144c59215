import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type JobWithMetadata, PgBoss, type QueueResult, type WipData } from 'pg-boss';
import { DAY_SECONDS } from '../../lib/durations.ts';
import { markHandled } from '../../lib/mark-handled.ts';
import type { Services } from '../context/services.ts';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';
import { preparedSessions } from '../database/session.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { loggable } from '../log/loggable.ts';
import type { Job, JobOptions } from './job.ts';
import { DEAD_JOBS, type JobQueue } from './queue.ts';
import { runJob } from './run-job.ts';

/** The queue of one process, with the functions for its owner. */
export interface OpenJobQueue extends JobQueue {
  /** Starts running jobs and maintaining the queue. */
  work(services: Services): Promise<void>;
  /** Stops taking jobs, and waits some seconds for running ones. */
  stopWorking(): Promise<void>;
  close(): Promise<void>;
}

export interface JobQueueOptions {
  databaseUrl: string;
  jobs: readonly Job[];
  /** Whether this process runs jobs, or only enqueues them. */
  works: boolean;
  log: FastifyBaseLogger;
}

/** Time limit for running jobs on shutdown. After it, they are returned to the queue. */
const GRACE_MS = 6_000;

/** Opens the queue, creates missing tables, and declares all kinds of jobs. */
export async function openJobQueue({ databaseUrl, jobs, works, log }: JobQueueOptions): Promise<OpenJobQueue> {
  const boss = makeBoss(databaseUrl, works);
  boss.on('error', errorLog(log));
  const close = () => boss.stop({ graceful: false, close: true });
  try {
    await boss.start();
    await declareAll(boss, jobs);
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  const stopping = new AbortController();

  return {
    boss,
    wake: (name) => lookAgain(boss, name, () => true),
    async work(services) {
      const begin = async (job: Job) => {
        const run = async ([attempt]: JobWithMetadata[]) => {
          await runJob(services, job, attempt, stopping.signal);
          lookAgain(boss, job.name, ({ count }) => count > 0);
        };
        await boss.work(job.name, workOptions(job.options), run);
      };
      for (const job of jobs) {
        await begin(job);
        const { cron } = job.options;
        if (cron !== undefined) await boss.schedule(job.name, cron, {}, { tz: 'UTC', missed: 'once' });
      }
      pauseWhileFull(services, {
        isStopped: () => stopping.signal.aborted,
        pause: () => Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: false }))),
        resume: () => Promise.all(jobs.map(begin)),
      });
    },
    async stopWorking() {
      stopping.abort();
      const ended = Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: true })));
      await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
    },
    close,
  };
}

/** Declares the queues of all kinds of jobs, and that of jobs that are given up. */
async function declareAll(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  if (!queues.has(DEAD_JOBS)) await boss.createQueue(DEAD_JOBS, { retentionSeconds: 90 * DAY_SECONDS });
  for (const job of jobs) await declare(boss, job, queues.get(job.name));
}

interface Pausing {
  isStopped(): boolean;
  pause(): Promise<unknown>;
  resume(): Promise<unknown>;
}

/**
 * Takes no jobs while the disk of the database is full: they would fail until they are given up. Running ones go on.
 */
function pauseWhileFull({ disk, log }: Services, { isStopped, pause, resume }: Pausing): void {
  let isPaused = false;
  let changing: Promise<unknown> = Promise.resolve();
  const change = async () => {
    const isFull = disk.isFull('database');
    if (isStopped() || isFull === isPaused) return;
    isPaused = isFull;
    await (isFull ? pause() : resume()).catch((error) => log.error({ err: loggable(error) }, 'error in the job queue'));
  };
  const follow = () => {
    changing = markHandled(changing.then(change));
  };
  disk.onChange(follow);
  follow();
}

/** Every worker polls the database. While it is unavailable, one line at intervals is enough. */
function errorLog(log: FastifyBaseLogger): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    const err = loggable(error);
    const isPassing = unavailabilityOf(Object.assign(new Error(err.message), { code: err.code })) !== undefined;
    const level = isPassing && Date.now() < quietUntil ? 'debug' : 'error';
    if (isPassing && level === 'error') quietUntil = Date.now() + QUIET_MS;
    log[level]({ err }, 'error in the job queue');
  };
}

const QUIET_MS = 10_000;

/** A server that is gone without closing its connections never answers. Without connections, no job would begin. */
const ANSWERS = { query_timeout: 60_000 };

/** The queue passes its options on to the pool that it creates, including those for sessions. */
const makeBoss = (databaseUrl: string, works: boolean) =>
  new PgBoss({
    ...preparedSessions(),
    ...ANSWERS,
    connectionString: databaseUrl,
    schema: JOBS_SCHEMA,
    application_name: 'stemma jobs',
    max: works ? 4 : 2,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    connectionTimeoutMillis: 5_000,
  });

/**
 * Makes workers of a kind of job fetch the next job without waiting for their interval; busy workers do so when their
 * job ends. Otherwise a worker would run one job per interval.
 */
function lookAgain(boss: PgBoss, name: string, which: (worker: WipData) => boolean): void {
  for (const worker of boss.getWipData()) {
    if (worker.name === name && which(worker)) boss.notifyWorker(worker.id);
  }
}

/** Jobs of this process, and those that follow a job, are fetched at once. Others are found by polling. */
const workOptions = ({ concurrency = 1, concurrencyPerGroup, cron }: JobOptions) =>
  ({
    localConcurrency: concurrency,
    ...(concurrencyPerGroup !== undefined && { localGroupConcurrency: concurrencyPerGroup }),
    includeMetadata: true,
    pollingIntervalSeconds: cron === undefined ? 2 : 10,
  }) as const;

/** Creates the queue of a kind of job, or updates the settings of `existing`, the queue as stored, if they differ. */
async function declare(boss: PgBoss, { name, options }: Job, existing: QueueResult | undefined): Promise<void> {
  const settings = settingsOf(options);
  if (existing === undefined) {
    await boss.createQueue(name, { ...settings, policy: options.cron === undefined ? 'standard' : 'exclusive' });
  } else if (!hasSettings(existing, settings)) {
    await boss.updateQueue(name, settings);
  }
}

const hasSettings = (queue: QueueResult, settings: ReturnType<typeof settingsOf>) =>
  Object.entries(settings).every(([name, value]) => queue[name as keyof typeof settings] === value);

const settingsOf = ({ retries = 5, retryDelay = 5, expiresIn = 300 }: JobOptions) => ({
  retryLimit: retries,
  retryDelay,
  retryBackoff: true,
  retryDelayMax: 60 * 60,
  expireInSeconds: expiresIn,
  // Detects a killed process by missing heartbeats, long before the job would expire.
  heartbeatSeconds: 20,
  deadLetter: DEAD_JOBS,
  deleteAfterSeconds: DAY_SECONDS,
});
