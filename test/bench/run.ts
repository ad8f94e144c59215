import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import { sql } from 'kysely';
import { asCaller, askOnce, expectSame } from './ask-once.ts';
import { type FilledDatabase, openFilled } from './database.ts';
import type { Caller } from './fill/people.ts';
import { type Measurement, measure, type PostgresUsage } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import { installPeers, type Peer } from './peers.ts';
import { makePostgresUsage } from './postgres-usage.ts';
import { type ServerProcess, startLimit, startPeer, startService } from './processes.ts';
import { type Contestant, type Result, type Round, resultOf, tableOf } from './report.ts';
import { pickTargets, type Targets } from './targets.ts';
import { type Workload, workloadsNamed } from './workloads.ts';

const CALLERS: Caller[] = ['admin', 'guest'];

/** Everything that a run needs. */
interface Bench {
  options: Options;
  targets: Targets;
  service: ServerProcess;
  limit: ServerProcess;
  peers: ReadonlyMap<Peer, ServerProcess>;
  postgres: PostgresUsage;
}

/** Statements of each workload, by its name and the caller. */
type Statements = ReadonlyMap<string, number>;

async function bench(options: Options): Promise<void> {
  const workloads = workloadsNamed(options.only);
  if (options.peers.length > 0) await installPeers();
  const database = await openFilled(options.data, options.scale);
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-bench-service-'));
  const servers: ServerProcess[] = [];
  const opened = (server: ServerProcess) => {
    servers.push(server);
    return server;
  };
  try {
    const { connection, url: databaseUrl } = database;
    const targets = await pickTargets(connection.db);
    const limit = opened(await startLimit(databaseUrl));
    const peers = new Map<Peer, ServerProcess>();
    for (const peer of options.peers) peers.set(peer, opened(await startPeer(peer, databaseUrl)));
    const statements = await tryOut({ databaseUrl, dataDir }, { workloads, targets, limit, peers });
    const service = opened(await startService({ databaseUrl, dataDir, profile: options.profile }));
    const postgres = await makePostgresUsage(connection.db);
    const results = await measureAll({ options, targets, service, limit, peers, postgres }, workloads, statements);
    process.stdout.write(`\n${tableOf(results)}\n`);
    if (options.json)
      await writeFile(options.json, `${JSON.stringify(await reportOf(options, database, results), null, 2)}\n`);
  } finally {
    for (const server of servers) await server.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Sends each workload once, by both callers, to see that it works, takes how many statements, and that all contestants
 * answer the same.
 */
async function tryOut(
  where: { databaseUrl: string; dataDir: string },
  { workloads, targets, limit, peers }: { workloads: Workload[] } & Pick<Bench, 'targets' | 'limit' | 'peers'>,
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
const peersFor = ({ peers = [], postgraphile }: Workload, running: Bench['peers']) =>
  [...running].filter(([peer]) => (peer === 'postgraphile' ? postgraphile : peers.includes(peer)));

const requestsOf = ({ requests, postgraphile }: Workload, peer: Peer, targets: Targets): Request[] =>
  (peer === 'postgraphile' && postgraphile ? postgraphile.requests : requests)(targets);

async function measureAll(run: Bench, workloads: Workload[], statements: Statements): Promise<Result[]> {
  const results: Result[] = [];
  for (const workload of workloads) {
    const rounds = new Map<Contestant, Round[]>();
    for (let round = 0; round < run.options.rounds; round++) await measureRound(run, { workload, round }, rounds);
    for (const [contestant, measured] of rounds) {
      const known = statements.get(`${workload.name} ${contestant}`);
      results.push(resultOf(workload, { contestant, statements: known, rounds: measured }));
    }
    process.stderr.write(`${workload.name} `);
  }
  return results;
}

/**
 * All contestants right after each other, so that what else the machine does meets all alike. Each round begins with
 * another one, so that none always comes after the same.
 */
async function measureRound(
  run: Bench,
  { workload, round }: { workload: Workload; round: number },
  rounds: Map<Contestant, Round[]>,
): Promise<void> {
  const { options, targets, postgres, service } = run;
  const { requests, limit } = workload;
  const bare: [Contestant, ServerProcess, Request[]][] = limit ? [['limit', run.limit, limit(targets)]] : [];
  const all: [Contestant, ServerProcess, Request[]][] = [
    ...CALLERS.map((caller): [Contestant, ServerProcess, Request[]] => [
      caller,
      service,
      asCaller(requests(targets), caller),
    ]),
    ...peersFor(workload, run.peers).map(([peer, server]): [Contestant, ServerProcess, Request[]] => [
      peer,
      server,
      requestsOf(workload, peer, targets),
    ]),
    ...bare,
  ];
  const begin = round % all.length;
  const measured = new Map<Contestant, Measurement>();
  for (const [contestant, server, sent] of [...all.slice(begin), ...all.slice(0, begin)])
    measured.set(contestant, await measure(server, sent, options, postgres));
  for (const [contestant] of all) {
    const ours = measured.get(contestant);
    // Where no statement can answer it, a bare Fastify is the limit.
    const against = measured.get('limit') ?? measured.get('fastify');
    if (ours) rounds.set(contestant, [...(rounds.get(contestant) ?? []), { ours, limit: against }]);
  }
}

async function reportOf(
  { scale, connections, seconds, rounds }: Options,
  { connection }: FilledDatabase,
  results: Result[],
) {
  const { rows } = await sql<{ serverVersion: string }>`show server_version`.execute(connection.db);
  return {
    scale,
    connections,
    seconds,
    rounds,
    node: process.version,
    postgres: rows[0]?.serverVersion,
    processors: availableParallelism(),
    results,
  };
}

const options = readOptions(process.argv.slice(2));
if (options) await bench(options);
