import { setTimeout as sleep } from 'node:timers/promises';
import { runCallers } from './callers.ts';
import type { Cluster } from './cluster.ts';
import { followByList, followByStream } from './follower.ts';
import type { History, Operation } from './history.ts';
import { outcomeOf, outputOf } from './history.ts';
import { inject } from './inject-faults.ts';
import type { Plan } from './plan.ts';
import { eventsOf, Reader, readFinalState } from './read-final-state.ts';
import { prepareScene, type Scene } from './scene.ts';

export interface RunOptions {
  /** The addresses that callers use instead of those of the servers. */
  addressesFor?(cluster: Cluster): Promise<{ urls: string[]; close(): void }>;
  /** Called when the scene is set, and when nothing is under way any more, before the state is read. */
  onBegin?(scene: Scene): Promise<void>;
  onEnd?(scene: Scene): Promise<void>;
  /** Called after each step with the number of steps. */
  onStep?(count: number, scene: Scene): void;
}

const STALLED_MS = 120_000;

/** A run that did not come to its end, with what was written down until then. */
export class RunFailed extends Error {
  readonly operations: readonly Operation[];
  readonly faults: readonly string[];

  constructor(cause: unknown, operations: readonly Operation[], faults: readonly string[]) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.operations = operations;
    this.faults = faults;
  }
}

/** Runs a plan on a cluster, in an organization of its own, and returns what happened. Rejects with RunFailed. */
export async function runSeed(cluster: Cluster, plan: Plan, options: RunOptions = {}): Promise<History> {
  const { writers, reviewers, commenters } = plan;
  const scene = await prepareScene(cluster, writers.length + reviewers.length + commenters.length + 1);
  await options.onBegin?.(scene);
  const own = await options.addressesFor?.(cluster);
  const addresses = own ?? { urls: cluster.servers.map(({ url }) => url) };
  const reader = new Reader(cluster.servers[0]?.url ?? '', scene.admin.token);
  const begin = (await eventsOf(reader, scene.organizationId))[0]?.id ?? '';
  const source = {
    addresses,
    organizationId: scene.organizationId,
    token: scene.admin.token,
    first: begin,
    cutsMs: plan.followerCutsMs,
  };
  const followers = [followByList(source), followByStream(source)];
  const giveUp = new AbortController();
  const faults = plan.faults.toSorted((a, b) => a.afterSteps - b.afterSteps);
  const injected: string[] = [];
  let injecting = Promise.resolve();
  let underWay = 0;
  let calmSince = performance.now();
  let failed: unknown;
  let steps = 0;
  const operations: History['operations'] = [];
  const recorder = {
    addresses,
    organizationId: scene.organizationId,
    operations,
    giveUp,
    calmSince: () => (underWay > 0 ? undefined : calmSince),
    stepTaken() {
      steps++;
      options.onStep?.(steps, scene);
      while (faults[0] && faults[0].afterSteps <= steps) {
        const [fault] = faults.splice(0, 1);
        if (!fault) break;
        injected.push(fault.kind);
        // One after the other: a server is there again before the next is ended.
        underWay++;
        injecting = injecting
          .then(() => inject(cluster, fault))
          .catch((error: unknown) => {
            failed ??= error;
            giveUp.abort();
          })
          .finally(() => {
            underWay--;
            calmSince = performance.now();
          });
      }
    },
  };
  try {
    await runCallers(plan, scene, recorder);
    await injecting;
    if (failed !== undefined) throw failed;
    await settled(reader, scene, operations);
    await options.onEnd?.(scene);
    const final = await readFinalState(cluster.servers[0]?.url ?? '', scene);
    const last = final.events.at(-1)?.id ?? '';
    await Promise.all(followers.map((follower) => follower.reach(last)));
    return {
      seed: plan.seed,
      spaceId: scene.spaceId,
      guardedSpaceId: scene.guardedSpaceId,
      begin: scene.begin,
      guests: scene.guests.map(({ userId }, index) => ({
        userId,
        caller: `guest${index}`,
        by: index === 0 ? 'setGrant' : 'setMember',
      })),
      operations,
      followed: followers.map(({ followed }) => followed),
      faults: injected,
      final,
    };
  } catch (error) {
    throw new RunFailed(error, operations, injected);
  } finally {
    giveUp.abort();
    await injecting;
    await Promise.all(followers.map((follower) => follower.stop()));
    own?.close();
  }
}

/**
 * Waits until the log shows all acknowledged comments, and nothing new comes. Events that do not come for two minutes are
 * missing, which the law of events tells.
 */
async function settled(reader: Reader, scene: Scene, operations: History['operations']): Promise<void> {
  const awaited = operations.filter((operation) => outcomeOf(operation) === 'done').map(outputOf);
  let since = performance.now();
  for (let before = -1; performance.now() - since < STALLED_MS; ) {
    const events = await eventsOf(reader, scene.organizationId);
    const text = JSON.stringify(events);
    const isComplete = awaited.every((output) => output?.commentId === undefined || text.includes(output.commentId));
    if (isComplete && events.length === before) return;
    if (events.length !== before) since = performance.now();
    before = events.length;
    await sleep(100);
  }
}
