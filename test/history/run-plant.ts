import { startAlteringProxy } from './altering-proxy.ts';
import type { Cluster } from './cluster.ts';
import type { History, Violation } from './history.ts';
import { check } from './laws/index.ts';
import { type PlanOptions, planOf } from './plan.ts';
import type { Ground, Plant } from './plants.ts';
import { runSeed } from './run-seed.ts';
import type { Scene } from './scene.ts';

/** Seeds for each plant: some plans do not come to what it changes, such as the revocation of a token. */
const SEEDS = 5;

/** Looks for a planted fault with up to five seeds. Returns the violation of the law that it breaks, if it is found. */
export async function findPlant(cluster: Cluster, plant: Plant, begin: number): Promise<Violation | undefined> {
  for (let seed = begin; seed < begin + SEEDS; seed++) {
    const violations = check(await runPlant(cluster, plant, seed));
    const found = violations.find(({ law }) => law === plant.law);
    if (found) return found;
  }
  return undefined;
}

/** Runs a seed on a service that seems to have the planted fault. */
async function runPlant(cluster: Cluster, plant: Plant, seed: number): Promise<History> {
  const { servers, database } = cluster;
  let known: Scene | undefined;
  const ground = (): Ground => {
    if (!known) throw new Error('The scene is not set.');
    return { scene: known, database };
  };
  const options: PlanOptions = { servers: servers.length, size: 0.3, faults: 0, transport: 'rest' };
  let changing: Promise<unknown> = Promise.resolve();
  const { alter, afterSteps } = plant;
  return runSeed(cluster, planOf(seed, options), {
    async onBegin(scene) {
      known = scene;
    },
    onStep(count) {
      if (count === afterSteps?.count) changing = afterSteps.change(ground());
    },
    async onEnd() {
      await changing;
      await plant.atEnd?.(ground());
    },
    ...(alter && {
      async addressesFor() {
        const proxies = await Promise.all(servers.map((server) => startAlteringProxy(() => server.url, alter(ground))));
        return {
          urls: proxies.map(({ url }) => url),
          close: () => {
            for (const proxy of proxies) proxy.close();
          },
        };
      },
    }),
  });
}
