import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { startCluster } from './cluster.ts';
import { FaultInjector } from './fault-injector.ts';
import type { History, Violation } from './history.ts';
import { check } from './laws/index.ts';
import { planOf } from './plan.ts';
import { PLANTS } from './plants.ts';
import { findPlant } from './run-plant.ts';
import { RunFailed, runSeed } from './run-seed.ts';
import { editorsOf, prepareScene } from './scene.ts';

/*
 * Runs callers, faults and the laws for seeds, on two server processes and one database.
 *
 *   node test/history/run.ts --seeds 1..1000 [--from 500] [--together 4] [--size 0.72] [--out DIRECTORY]
 *   node test/history/run.ts --seed 17
 *   node test/history/run.ts --plants
 *
 * A seed repeats the plan: what callers do, and which faults happen after how many steps. Timing is that of the machine, so
 * that a violation may need several attempts to appear again. The history of a violation is written to the directory.
 * With --together, so many seeds run at once, each in its own organization, under the faults of the first. The load shows
 * what happens between the steps of a request. Each of them counts the faults.
 * With --size, seeds take so much of the usual number of steps: 0.72 is enough for 500 operations each.
 * With --plants, it looks for faults that the service does not have, which a proxy or changed rows make seem its own.
 */

const SERVERS = 2;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string' },
    together: { type: 'string', default: '1' },
    size: { type: 'string', default: '1' },
    out: { type: 'string', default: '.' },
    plants: { type: 'boolean', default: false },
  },
});

const [first, last] = rangeIn(values.seed ?? values.seeds ?? '1..10');
const begin = Math.max(first, Number(values.from ?? first));
const together = Number(values.together);
const size = Number(values.size);
if (![begin, last, together].every(Number.isInteger) || begin > last || together < 1 || !(size > 0)) {
  console.error(
    'Use --seeds 1..1000, with --from N to begin later, --together N to run N at once, --size N, or --seed N.',
  );
  process.exit(2);
}

let current = 'the start';
let isOver = false;
process.once('exit', (code) => {
  if (!isOver) console.error(`Ended with exit code ${code} during ${current}, before all was run.`);
});
// With the servers and the database, which end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    console.error(`Received ${signal}.`);
    process.exit(1);
  });
}
let cluster = await startCluster(SERVERS);
const totals = { seeds: 0, failed: 0, operations: 0, requests: 0, faults: 0, events: 0, violations: 0 };
const faults: Record<string, number> = {};
try {
  if (values.plants) await findPlants();
  else await runSeeds();
  isOver = true;
} catch (error) {
  // Before the cluster is closed, which may fail as well.
  console.error(error);
  process.exitCode = 1;
} finally {
  await cluster.close();
}

async function runSeeds(): Promise<void> {
  for (let seed = begin; seed <= last; seed += together) {
    const seeds = Array.from({ length: Math.min(together, last - seed + 1) }, (_, index) => seed + index);
    current = `seed ${seeds.join(', ')}`;
    const began = performance.now();
    const ended = await runTogether(seeds);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    for (const { seed, history, error } of ended) {
      if (history) await reportHistory(history, seconds);
      else await reportFailure(seed, error);
    }
    if (ended.some(({ error }) => error !== undefined)) {
      // A server of it may have ended.
      await cluster.close();
      cluster = await startCluster(SERVERS);
    }
  }
  console.log(JSON.stringify({ ...totals, kinds: faults }));
}

async function runTogether(seeds: readonly number[]) {
  const plans = seeds.map((seed) => planOf(seed, { servers: SERVERS, size }));
  const scenes = await Promise.all(plans.map((plan) => prepareScene(cluster, editorsOf(plan))));
  const faults = (plans[0]?.faults ?? []).map((fault) => ({ ...fault, afterSteps: fault.afterSteps * plans.length }));
  const injector = new FaultInjector(cluster, faults);
  return Promise.all(
    plans.map((plan, index) =>
      runSeed(cluster, plan, { scene: scenes[index], injector }).then(
        (history) => ({ seed: plan.seed, history, error: undefined }),
        (error: unknown) => ({ seed: plan.seed, history: undefined, error }),
      ),
    ),
  );
}

async function reportHistory(history: History, seconds: string): Promise<void> {
  const violations = check(history);
  count(history, violations);
  const { seed, operations, faults } = history;
  console.log(
    `seed ${seed}: ${operations.length} operations, ${faults.join(', ')}, ${seconds} s, ${violations.length} violations`,
  );
  if (violations.length > 0) await report(history, violations);
}

async function findPlants(): Promise<void> {
  for (const plant of PLANTS) {
    current = `the plant "${plant.name}"`;
    const found = await findPlant(cluster, plant, begin);
    if (!found) process.exitCode = 1;
    console.log(`${plant.name}: ${found ? `found by the law of ${found.law}: ${found.message}` : 'not found'}`);
  }
}

function rangeIn(text: string): [number, number] {
  const [from = '', to = from] = text.split('..');
  return [Number(from), Number(to)];
}

function count(history: History, violations: readonly Violation[]): void {
  totals.seeds++;
  totals.operations += history.operations.length;
  totals.requests += history.operations.reduce((sum, { attempts }) => sum + attempts.length, 0);
  totals.faults += history.faults.length;
  totals.events += history.final.events.length;
  totals.violations += violations.length;
  for (const kind of history.faults) faults[kind] = (faults[kind] ?? 0) + 1;
}

/** Writes what there is of a history. */
async function reportFailure(seed: number, error: unknown): Promise<void> {
  process.exitCode = 1;
  totals.failed++;
  const { operations, faults } = error instanceof RunFailed ? error : {};
  console.error(`seed ${seed} did not come to its end:`, error instanceof RunFailed ? error.cause : error);
  await write(seed, { error: inspect(error), operations, faults });
}

async function report(history: History, violations: readonly Violation[]): Promise<void> {
  process.exitCode = 1;
  for (const { law, message, operations } of violations.slice(0, 10)) {
    console.log(`  ${law}: ${message}${operations.length > 0 ? ` (operations ${operations.join(', ')})` : ''}`);
  }
  await write(history.seed, { violations, history });
}

async function write(seed: number, content: object): Promise<void> {
  await mkdir(values.out, { recursive: true });
  const file = join(values.out, `history-${seed}.json`);
  await writeFile(file, JSON.stringify(content, undefined, 1));
  console.log(`  The history is in ${file}. To run it again: node test/history/run.ts --seed ${seed} --size ${size}`);
}
