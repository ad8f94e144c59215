import type { Caller } from './fill/people.ts';
import type { Measurement } from './measure.ts';
import type { Peer } from './peers.ts';
import type { Workload } from './workloads.ts';

/** The service as one of its callers, a server of another project, or the bare server. */
export type Contestant = Caller | Peer | 'limit';

/** One line of the table: medians of the rounds. */
export interface Result extends Measurement {
  workload: string;
  what: string;
  contestant: Contestant;
  /** Of the service only. */
  statements: number | undefined;
  /** Against the bare server, each round with that round's. */
  limit?: { requestsPerSecond: number; cpu: number; share: number; cpuMultiple: number };
}

/** What one round measured; the limit's where there is one. */
export interface Round {
  ours: Measurement;
  limit?: Measurement | undefined;
}

/** Sums the rounds of one workload and contestant up. */
export function resultOf(
  { name, what }: Pick<Workload, 'name' | 'what'>,
  {
    contestant,
    statements,
    rounds,
  }: { contestant: Contestant; statements: number | undefined; rounds: readonly Round[] },
): Result {
  const middle = (read: (round: Round) => number) => median(rounds.map(read));
  const hasPostgres = rounds.every(({ ours }) => ours.postgresCpu !== undefined);
  return {
    workload: name,
    what,
    contestant,
    requestsPerSecond: middle(({ ours }) => ours.requestsPerSecond),
    p50: middle(({ ours }) => ours.p50),
    p99: middle(({ ours }) => ours.p99),
    statements,
    serverCpu: middle(({ ours }) => ours.serverCpu),
    postgresCpu: hasPostgres ? middle(({ ours }) => ours.postgresCpu ?? 0) : undefined,
    memory: middle(({ ours }) => ours.memory),
    ...againstLimit(rounds),
  };
}

function againstLimit(rounds: readonly Round[]): Pick<Result, 'limit'> {
  const pairs = rounds.flatMap(({ ours, limit }) => (limit ? [{ ours, limit }] : []));
  if (pairs.length === 0) return {};
  const middle = (read: (pair: (typeof pairs)[number]) => number) => median(pairs.map(read));
  return {
    limit: {
      requestsPerSecond: middle(({ limit }) => limit.requestsPerSecond),
      cpu: middle(({ limit }) => cpuOf(limit)),
      share: middle(({ ours, limit }) => ours.requestsPerSecond / limit.requestsPerSecond),
      cpuMultiple: middle(({ ours, limit }) => cpuOf(ours) / cpuOf(limit)),
    },
  };
}

const cpuOf = ({ serverCpu, postgresCpu = 0 }: Measurement) => serverCpu + postgresCpu;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

const MEGABYTE = 1_048_576;

/** The columns: their heads, and what stands in them. */
const COLUMNS: [string, (result: Result) => string][] = [
  ['', ({ workload }) => workload],
  ['by', ({ contestant }) => contestant],
  ['req/s', ({ requestsPerSecond }) => requestsPerSecond.toFixed(requestsPerSecond < 100 ? 1 : 0)],
  ['p50 ms', ({ p50 }) => p50.toFixed(0)],
  ['p99 ms', ({ p99 }) => p99.toFixed(0)],
  ['SQL', ({ statements }) => (statements === undefined ? '' : String(statements))],
  ['server CPU ms', ({ serverCpu }) => serverCpu.toFixed(2)],
  ['PostgreSQL CPU ms', ({ postgresCpu }) => postgresCpu?.toFixed(2) ?? '–'],
  ['memory MB', ({ memory }) => (memory / MEGABYTE).toFixed(0)],
  ['share of limit', ({ limit }) => limit?.share.toFixed(2) ?? ''],
  ['CPU × limit', ({ limit }) => limit?.cpuMultiple.toFixed(1) ?? ''],
  ['', ({ what }) => what],
];

/** The results as a Markdown table. */
export const tableOf = (results: readonly Result[]): string =>
  markdownTable(
    [COLUMNS.map(([head]) => head), ...results.map((result) => COLUMNS.map(([, show]) => show(result)))],
    (column) => column < 2 || column === COLUMNS.length - 1,
  );

/** Memory of a server over a whole run, in bytes. */
export interface Memory {
  server: string;
  /** When it had begun to listen, after its last request, and the most in between. */
  idle: number;
  afterwards: number;
  peak: number;
}

/** Memory of each server as a Markdown table. */
export const memoryTableOf = (servers: readonly Memory[]): string => {
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
  const lines = servers.map(({ server, idle, afterwards, peak }) => [
    server,
    ...[idle, afterwards, peak].map(megabytes),
  ]);
  return markdownTable([['server', 'idle MB', 'afterwards MB', 'peak MB'], ...lines], (column) => column === 0);
};

function markdownTable(cells: readonly string[][], isText: (column: number) => boolean): string {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(3, ...cells.map((line) => line[column]?.length ?? 0)));
  const pad = (text: string, column: number) =>
    isText(column) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  const [head = [], ...body] = cells.map((line) => line.map(pad));
  const rule = widths.map((width, column) => (isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, rule, ...body].map((line) => `| ${line.join(' | ')} |\n`).join('');
}
