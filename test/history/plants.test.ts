import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { check } from './laws/index.ts';
import { PLANTS } from './plants.ts';
import { runPlant } from './run-plant.ts';

// Whole processes: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const SEED = 7;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.close());

test('without a planted fault, the seed of the plants breaks no law', async () => {
  const history = await runPlant(cluster, { name: 'nothing', law: 'heads' }, SEED);
  expect(check(history)).toEqual([]);
});

test.each(PLANTS.map((plant) => [plant.name, plant] as const))('%s is found', async (_name, plant) => {
  const laws = new Set(check(await runPlant(cluster, plant, SEED)).map(({ law }) => law));
  expect(laws).toContain(plant.law);
});
