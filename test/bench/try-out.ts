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

/** How many requests of a workload are compared. */
const COMPARED = 5;

/** Where a workload can be sent to. */
interface Servers {
  service: ServerProcess;
  limit: ServerProcess;
  peers: Peers;
}

/**
 * Sends the first requests of each workload, by both callers, to see that it works, takes how many statements, and that
 * all contestants answer the same.
 */
export async function tryOut(
  where: { databaseUrl: string; dataDir: string },
  { workloads, targets, limit, peers }: { workloads: Workload[]; targets: Targets; limit: ServerProcess; peers: Peers },
): Promise<Statements> {
  const service = await startService({ ...where, countsStatements: true });
  const statements = new Map<string, number>();
  try {
    for (const workload of workloads) {
      for (const caller of CALLERS) {
        const counts = await compare(workload, { caller, targets }, { service, limit, peers });
        statements.set(`${workload.name} ${caller}`, counts[0] ?? 0);
      }
    }
  } finally {
    await service.stop();
  }
  return statements;
}

/** Throws unless all servers answer the same. Returns how many statements each request took. */
async function compare(
  workload: Workload,
  { caller, targets }: { caller: Caller; targets: Targets },
  { service, limit, peers }: Servers,
): Promise<number[]> {
  const { name, requests, limit: bare, varying, leftOut = {} } = workload;
  const asked = asCaller(requests(targets), caller);
  // The first request of a process finds no token that it remembers.
  await askOnce(service, asked[0]);
  const counts: number[] = [];
  for (const [index, request] of asked.slice(0, COMPARED).entries()) {
    const { body, statements } = await askOnce(service, request);
    counts.push(statements);
    if (bare) expectSame(name, body, (await askOnce(limit, bare(targets)[index])).body, { varying });
    for (const [peer, server] of peersFor(workload, peers)) {
      const answered = (await askOnce(server, requestsOf(workload, peer, targets)[index])).body;
      const theirs = peer === 'postgraphile' ? workload.postgraphile?.read(answered) : answered;
      expectSame(`${name} of ${peer}`, body, theirs, { varying, leftOut: leftOut[peer] });
    }
  }
  return counts;
}

/** The peers that can answer a workload. */
export const peersFor = ({ peers = [], postgraphile }: Workload, running: Peers) =>
  [...running].filter(([peer]) => (peer === 'postgraphile' ? postgraphile : peers.includes(peer)));

export const requestsOf = ({ requests, postgraphile }: Workload, peer: Peer, targets: Targets): Request[] =>
  (peer === 'postgraphile' && postgraphile ? postgraphile.requests : requests)(targets);
