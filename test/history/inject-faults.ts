import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Fault } from './plan.ts';

/** Makes a fault happen, and resolves when it is over: what was ended runs again. */
export async function inject(
  { servers, database }: Cluster,
  { kind, server: index, durationMs }: Fault,
): Promise<void> {
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
      return database.gate.cut();
    case 'crashDatabase':
      return database.crash();
  }
}
