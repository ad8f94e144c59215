import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isThorough } from '../how-thorough.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { check } from './laws/index.ts';
import { planOf } from './plan.ts';
import { PLANTS } from './plants.ts';
import { findPlant } from './run-plant.ts';
import { runSeed } from './run-seed.ts';

// Whole processes, which are killed and started again: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const SERVERS = 2;
/** Of the usual number of steps: enough for 500 operations. */
const SIZE = 0.72;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(SERVERS);
});

afterAll(() => cluster?.close());

test.each(isThorough ? [1, 2, 3] : [1])(
  'the history of seed %i breaks no law, with two processes and five faults',
  async (seed) => {
    const history = await runSeed(cluster, planOf(seed, { servers: SERVERS, size: SIZE }));
    expect(history.operations.length).toBeGreaterThanOrEqual(500);
    expect(history.faults).toHaveLength(5);
    expect(check(history)).toEqual([]);
  },
);

test.runIf(isThorough).each(PLANTS)('the laws find $name', async (plant) => {
  expect(await findPlant(cluster, plant, 1)).toMatchObject({ law: plant.law });
});
