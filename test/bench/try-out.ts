import type { Request } from 'autocannon';
import { asCaller, askOnce, expectSame } from './ask-once.ts';
import type { Caller } from './fill/people.ts';
import type { Peer } from './peers.ts';
import { type ServerProcess, startService } from './processes.ts';
import type { Targets } from './targets.ts';
import type { Workload } from './workloads.ts';

export const CALLERS: Caller[] = ['admin', 'guest'];

/** Statements of each workload, by its name and the caller. */
export type Statements = ReadonlyMap<string, number>;

/** Servers of other projects that run. */
export type Peers = ReadonlyMap<Peer, ServerProcess>;

/**
 * Sends each workload once, by both callers, to see that it works, takes how many statements, and that all contestants
 * answer the same.
 */
export async function tryOut(
  where: { databaseUrl: string; dataDir: string },
  { workloads, targets, limit, peers }: { workloads: Workload[]; targets: Targets; limit: ServerProcess; peers: Peers },
): Promise<Statements> {
  const service = await startService({ ...where, countsStatements: true });
  const statements = new Map<string, number>();
  try {
    for (const workload of workloads) {
      const { name, requests, limit: bare, varying } = workload;
      for (const caller of CALLERS) {
        const [request] = asCaller(requests(targets), caller);
        // The first request of a process finds no token that it remembers.
        await askOnce(service, request);
        const answer = await askOnce(service, request);
        statements.set(`${name} ${caller}`, answer.statements);
        if (bare) expectSame(name, answer.body, (await askOnce(limit, bare(targets)[0])).body, varying);
        for (const [peer, server] of peersFor(workload, peers)) {
          const answered = (await askOnce(server, requestsOf(workload, peer, targets)[0])).body;
          const theirs = peer === 'postgraphile' ? workload.postgraphile?.read(answered) : answered;
          expectSame(`${name} of ${peer}`, answer.body, theirs, varying, { isPart: true });
        }
      }
    }
  } finally {
    await service.stop();
  }
  return statements;
}

/** The peers that can answer a workload. */
export const peersFor = ({ peers = [], postgraphile }: Workload, running: Peers) =>
  [...running].filter(([peer]) => (peer === 'postgraphile' ? postgraphile : peers.includes(peer)));

export const requestsOf = ({ requests, postgraphile }: Workload, peer: Peer, targets: Targets): Request[] =>
  (peer === 'postgraphile' && postgraphile ? postgraphile.requests : requests)(targets);
