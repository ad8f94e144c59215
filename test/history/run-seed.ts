import { setTimeout as sleep } from 'node:timers/promises';
import { runCallers } from './callers.ts';
import type { Cluster } from './cluster.ts';
import { FaultInjector } from './fault-injector.ts';
import { followByList, followByStream } from './follower.ts';
import type { History, Operation } from './history.ts';
import { outcomeOf, outputOf } from './history.ts';
import type { Plan } from './plan.ts';
import { eventsOf, Reader, readFinalState } from './read-final-state.ts';
import { editorsOf, prepareScene, type Scene } from './scene.ts';

export interface RunOptions {
  /** A scene that nothing has happened in yet. Otherwise one is prepared. */
  scene?: Scene;
  /** What makes the faults of several runs at once. Otherwise those of the plan happen. */
  injector?: FaultInjector;
  /** The addresses that callers use instead of those of the servers. */
  addressesFor?(cluster: Cluster): Promise<{ urls: string[]; close(): void }>;
  /** Called when the scene is set, and when nothing is under way, before the state is read. */
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
  const scene = options.scene ?? (await prepareScene(cluster, editorsOf(plan)));
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
  const injector = options.injector ?? new FaultInjector(cluster, plan.faults);
  const stop = () => giveUp.abort();
  injector.failed.addEventListener('abort', stop);
  const faultsBefore = injector.injected.length;
  let faults: string[] = [];
  let steps = 0;
  const operations: History['operations'] = [];
  const recorder = {
    addresses,
    organizationId: scene.organizationId,
    operations,
    giveUp,
    calmSince: () => injector.calmSince,
    stepTaken() {
      steps++;
      options.onStep?.(steps, scene);
      injector.stepTaken();
    },
  };
  try {
    await runCallers(plan, scene, recorder);
    faults = injector.injected.slice(faultsBefore);
    await injector.finished();
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
      faults,
      final,
    };
  } catch (error) {
    throw new RunFailed(error, operations, injector.injected.slice(faultsBefore));
  } finally {
    giveUp.abort();
    injector.failed.removeEventListener('abort', stop);
    await injector.finished().catch(() => {}); // thrown before
    await Promise.all(followers.map((follower) => follower.stop()));
    own?.close();
  }
}

/**
 * Waits until the log shows all acknowledged comments, and nothing new comes. Events that do not come for two minutes
 * are missing, which the law of events tells.
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
