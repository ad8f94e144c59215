import cluster from 'node:cluster';
import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Replicas } from '../database/replicas/replicas.ts';
import type { Database } from '../database/tables.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import type { HeavyWorkMetrics } from '../heavy-work/heavy-work.ts';
import { countJobs, jobsLag } from '../jobs/count-jobs.ts';
import { faultCount, PROCESS_FAULTS } from '../log/process-faults.ts';
import { unexpectedErrorCount } from '../log/unexpected-errors.ts';
import { joinMetrics, lastStart } from './cluster-metrics.ts';
import { diskMetrics } from './disk-metrics.ts';
import { DurationHistogram, JOB_SECONDS } from './duration-histogram.ts';
import { eventsHeldBack, eventsLag } from './events-lag.ts';
import { makeHeavyWorkMetrics } from './heavy-work-metrics.ts';
import { type HeldBytesMetrics, makeHeldBytesMetrics } from './held-bytes-metrics.ts';
import { replicaMetrics } from './replica-metrics.ts';

/** Metrics of one process in the text format of Prometheus. No label contains values from callers. */
export interface Metrics {
  /** `route` is the pattern of the path, or undefined if no route matched. */
  request(method: string, route: string | undefined, status: number, seconds: number): void;
  /** `operation` is the operation name of a trusted document, or undefined for other operations. */
  operation(operation: string | undefined, isGood: boolean, seconds: number): void;
  statement(isGood: boolean, seconds: number): void;
  job(name: string, isGood: boolean, seconds: number): void;
  readonly heavyWork: HeavyWorkMetrics;
  readonly heldBytes: HeldBytesMetrics;
  readonly contentType: string;
  text(): Promise<string>;
}

/** A job that has rows left to work on (`jobs/backfill.ts`). */
interface CountedRows {
  readonly name: string;
  countRows(db: Database): Promise<number>;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const OTHER = 'other';

/** Counters start at 0. Values from the database are read with the metrics, and are omitted if it is unavailable. */
export function makeMetrics(
  { pool, db, waiting }: { pool: Pool; db: Database; waiting(): number },
  { disk, replicas, backfills }: { disk: DiskWatch; replicas: Replicas; backfills: readonly CountedRows[] },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const isOneOfSeveral = cluster.isWorker && process.send !== undefined;
  const registries = [processMetrics(), registry];
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new DurationHistogram(`stemma_${name}`, help, labelNames, registers);
  const requests = histogram('http_request_duration_seconds', 'Duration of requests by route.', [
    'method',
    'route',
    'status',
  ]);
  const operations = histogram(
    'graphql_operation_duration_seconds',
    'Duration of graph operations, with the names of trusted ones.',
    ['operation', 'result'],
  );
  const counts = countStatements(registers);
  const statementSeconds = histogram('sql_statement_duration_seconds', 'Duration of database statements.', []);
  const jobs = new DurationHistogram(
    'stemma_job_duration_seconds',
    'Duration of job attempts in this process.',
    ['queue', 'result'],
    registers,
    JOB_SECONDS,
  );
  new Gauge({ name: 'stemma_processes', help: 'Number of server processes on this port.', registers }).set(1);
  // The starting process of several servers has it.
  if (!isOneOfSeveral) lastStart(registers).set((Date.now() - performance.now()) / 1_000);
  watchPool(pool, waiting, registers);
  if (replicas.areSet) replicaMetrics(replicas, registers);
  watchFaults(registers);
  watchUnexpectedErrors(registers);
  watchDatabase(db, registers);
  watchBackfills(db, backfills, registers);
  diskMetrics(disk, registers);

  return {
    request(method, route = OTHER, status, seconds) {
      requests.observe([METHODS.has(method) ? method : OTHER, route, String(status)], seconds);
    },
    operation: (operation = OTHER, isGood, seconds) => operations.observe([operation, result(isGood)], seconds),
    statement(isGood, seconds) {
      counts[result(isGood)]++;
      statementSeconds.observe(NO_LABELS, seconds);
    },
    job: (queue, isGood, seconds) => jobs.observe([queue, result(isGood)], seconds),
    heavyWork: makeHeavyWorkMetrics(registers),
    heldBytes: makeHeldBytesMetrics(registers),
    contentType: registry.contentType,
    text: isOneOfSeveral ? joinMetrics(registries) : () => Registry.merge(registries).metrics(),
  };
}

let ofProcess: Registry | undefined;

/**
 * prom-client's default metrics: processor time, memory, event loop and garbage collection. All services of a process
 * share them, since prom-client never removes the observers that it adds.
 */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

const result = (isGood: boolean) => (isGood ? 'ok' : 'error');

const NO_LABELS: string[] = [];

/** The numbers of statements by result, which are added to the counter when the metrics are read. */
function countStatements(registers: Registry[]): Record<'ok' | 'error', number> {
  const counts = { ok: 0, error: 0 };
  new Counter({
    name: 'stemma_sql_statements_total',
    help: 'Number of statements sent to the database.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [name, count] of Object.entries(counts)) if (count > 0) this.inc({ result: name }, count);
    },
  });
  return counts;
}

function watchFaults(registers: Registry[]): void {
  new Counter({
    name: 'stemma_process_faults_total',
    help: 'Unhandled rejections, which the process survives, and uncaught exceptions, after which it ends.',
    labelNames: ['fault'],
    registers,
    collect() {
      this.reset();
      for (const fault of PROCESS_FAULTS) this.inc({ fault }, faultCount(fault));
    },
  });
}

function watchUnexpectedErrors(registers: Registry[]): void {
  new Counter({
    name: 'stemma_unexpected_errors_total',
    help: 'Errors that callers got as INTERNAL_SERVER_ERROR, by any interface.',
    registers,
    collect() {
      this.reset();
      this.inc(unexpectedErrorCount());
    },
  });
}

function watchPool(pool: Pool, waiting: () => number, registers: Registry[]): void {
  new Gauge({
    name: 'stemma_database_connections',
    help: 'Database connections of this process, and the number of waiting requests.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, waiting());
    },
  });
}

function watchBackfills(db: Database, backfills: readonly CountedRows[], registers: Registry[]): void {
  new Gauge({
    name: 'stemma_backfill_rows',
    help: 'Number of rows that a job has yet to bring up to date after an update, counted up to 100,000.',
    // Each process reads the same rows.
    aggregator: 'first',
    labelNames: ['backfill'],
    registers,
    async collect() {
      this.reset();
      for (const { name, countRows } of backfills) {
        const count = await countRows(db).catch(() => undefined);
        if (count !== undefined) this.set({ backfill: name }, count);
      }
    },
  });
}

function watchDatabase(db: Database, registers: Registry[]): void {
  new Gauge({
    name: 'stemma_jobs',
    help: 'Number of jobs of all processes by queue and state.',
    // Each process reads the same rows.
    aggregator: 'first',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { name: queue, ...counts } of await countJobs(db).catch(() => [])) {
        for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count);
      }
    },
  });
  new Gauge({
    name: 'stemma_jobs_lag_seconds',
    help: 'Time for which the oldest job of a queue has been due, or 0.',
    aggregator: 'first',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      for (const { queue, seconds } of await jobsLag(db).catch(() => [])) this.set({ queue }, seconds);
    },
  });
  new Gauge({
    name: 'stemma_events_lag_seconds',
    help: 'Age of the oldest unread event of an event consumer, or 0.',
    aggregator: 'first',
    labelNames: ['reader'],
    registers,
    async collect() {
      this.reset();
      for (const { reader, seconds } of await eventsLag(db).catch(() => [])) this.set({ reader }, seconds);
    },
  });
  new Gauge({
    name: 'stemma_events_held_back_seconds',
    help: 'Age of the oldest event that an open transaction holds back, or 0.',
    aggregator: 'first',
    registers,
    async collect() {
      this.set(await eventsHeldBack(db).catch(() => 0));
    },
  });
}
