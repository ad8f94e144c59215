import { startAlteringProxy } from './altering-proxy.ts';
import type { Cluster } from './cluster.ts';
import type { History } from './history.ts';
import { type PlanOptions, planOf } from './plan.ts';
import type { Ground, Plant } from './plants.ts';
import { runSeed } from './run-seed.ts';
import type { Scene } from './scene.ts';

/** Runs a seed on a service that seems to have the planted fault. */
export async function runPlant(cluster: Cluster, plant: Plant, seed: number): Promise<History> {
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
