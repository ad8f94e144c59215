import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { crash } from './database-server.ts';
import type { Fault, FaultKind } from './plan.ts';

/** Makes faults happen on a cluster, one after the other, while one or several runs take their steps. */
export class FaultInjector {
  /** The kinds of the faults so far. */
  readonly injected: FaultKind[] = [];
  readonly #cluster: Cluster;
  readonly #faults: Fault[];
  readonly #failed = new AbortController();
  #steps = 0;
  #underWay = 0;
  #calmSince = performance.now();
  #injecting = Promise.resolve();

  /** `afterSteps` of the faults counts the steps of all runs. */
  constructor(cluster: Cluster, faults: readonly Fault[]) {
    this.#cluster = cluster;
    this.#faults = faults.map((fault) => possible(fault, cluster)).sort((a, b) => a.afterSteps - b.afterSteps);
  }

  /** Aborted when a fault cannot be made, or a server does not start again. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** When the last fault was over; undefined while one is under way. */
  get calmSince(): number | undefined {
    return this.#underWay > 0 ? undefined : this.#calmSince;
  }

  stepTaken(): void {
    this.#steps++;
    while (this.#faults[0] && this.#faults[0].afterSteps <= this.#steps) {
      const [fault] = this.#faults.splice(0, 1);
      if (fault) this.#start(fault);
    }
  }

  /** Resolves when what was begun is over; rejects if a fault failed. */
  async finished(): Promise<void> {
    await this.#injecting;
    this.failed.throwIfAborted();
  }

  #start(fault: Fault): void {
    this.injected.push(fault.kind);
    this.#underWay++;
    // One after the other: a server is there again before the next is ended.
    this.#injecting = this.#injecting
      .then(() => inject(this.#cluster, fault))
      .catch((error: unknown) => this.#failed.abort(error))
      .finally(() => {
        this.#underWay--;
        this.#calmSince = performance.now();
      });
  }
}

/** A database without a standby crashes instead of failing over. */
const possible = (fault: Fault, { database }: Cluster): Fault =>
  fault.kind === 'failOver' && !database.failOver ? { ...fault, kind: 'crashDatabase' } : fault;

/** Resolves when the fault is over: what was ended runs again. */
async function inject({ servers, database }: Cluster, { kind, server: index, durationMs }: Fault): Promise<void> {
  const server = servers[index % servers.length];
  if (!server) throw new Error('The cluster has no servers.');
  switch (kind) {
    case 'kill':
      return server.killAndRun();
    case 'cut':
      return server.gate.cut();
    case 'loseAnswers':
      return server.gate.loseAnswers(sleep(durationMs));
    case 'pause':
      return server.pause(durationMs);
    case 'cutDatabase':
      for (const each of servers) each.cutDatabase();
      return;
    case 'crashDatabase':
      return crash(database);
    case 'failOver':
      return database.failOver?.();
  }
}
