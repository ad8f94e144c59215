import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import { sql } from 'kysely';
import { asCaller } from './ask-once.ts';
import { type FilledDatabase, openFilled } from './database.ts';
import { type Measurement, measure, type PostgresUsage } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import { installPeers, type Peer } from './peers.ts';
import { makePostgresUsage } from './postgres-usage.ts';
import { type ServerProcess, startLimit, startPeer, startService } from './processes.ts';
import { type Contestant, type Memory, memoryTableOf, type Result, type Round, resultOf, tableOf } from './report.ts';
import { pickTargets, type Targets } from './targets.ts';
import { measureTask, type Task } from './tasks.ts';
import { CALLERS, type Peers, peersFor, requestsOf, type Statements, tryOut } from './try-out.ts';
import { type Workload, workloadsNamed } from './workloads.ts';

/** Everything that a run needs. */
interface Bench {
  options: Options;
  targets: Targets;
  service: ServerProcess;
  limit: ServerProcess;
  peers: Peers;
  postgres: PostgresUsage;
}

/** One table: a scale, a number of connections and a number of processes. Answers the report. */
async function bench(options: Options, directory: string) {
  const { workloads, tasks } = workloadsNamed(options.only);
  const database = await openFilled(directory, options);
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-bench-service-'));
  const servers = new Map<string, { server: ServerProcess; idle: number }>();
  const opened = async (name: string, starting: Promise<ServerProcess>) => {
    const server = await starting;
    servers.set(name, { server, idle: (await server.usage()).rssBytes });
    return server;
  };
  try {
    const { connection, url: databaseUrl } = database;
    const targets = await pickTargets(connection.db);
    const limit = await opened('limit', startLimit(databaseUrl));
    const peers = new Map<Peer, ServerProcess>();
    for (const peer of options.peers) peers.set(peer, await opened(peer, startPeer(peer, databaseUrl)));
    const statements = await tryOut({ databaseUrl, dataDir }, { workloads, targets, limit, peers });
    const { profile, processes } = options;
    const environment = { WEB_CONCURRENCY: String(processes) };
    const service = await opened('service', startService({ databaseUrl, dataDir, profile, environment }));
    const postgres = await makePostgresUsage(connection.db);
    const results = await measureAll({ options, targets, service, limit, peers, postgres }, workloads, statements);
    if (tasks.length > 0) {
      const ofTasks = { databaseUrl, dataDir: join(dataDir, 'tasks'), environment: { ...environment, WORKERS: '1' } };
      const worker = await opened('service with jobs', startService(ofTasks));
      results.push(...(await measureTasks(worker, tasks, { options, targets, postgres })));
    }
    const memory = await memoryOf(servers);
    const inProcesses = processes === 1 ? 'one process' : `${processes} processes`;
    process.stdout.write(`\nScale ${options.scale}, ${options.connections} connections, ${inProcesses}\n\n`);
    process.stdout.write(`${tableOf(results)}\n${memoryTableOf(memory)}\n`);
    return await reportOf(options, database, { results, memory });
  } finally {
    for (const { server } of servers.values()) await server.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function memoryOf(servers: ReadonlyMap<string, { server: ServerProcess; idle: number }>): Promise<Memory[]> {
  const memory: Memory[] = [];
  for (const [name, { server, idle }] of servers) {
    const { rssBytes, peakBytes } = await server.usage();
    memory.push({ server: name, idle, afterwards: rssBytes, peak: peakBytes });
  }
  return memory;
}

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

async function measureTasks(
  service: ServerProcess,
  tasks: Task[],
  { options, targets, postgres }: Pick<Bench, 'options' | 'targets' | 'postgres'>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const task of tasks) {
    const rounds: Round[] = [];
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      const ours = await measureTask(service, { task, targets, round }, options, postgres);
      if (round > 0) rounds.push({ ours });
    }
    results.push(resultOf(task, { contestant: 'admin', statements: undefined, rounds }));
    process.stderr.write(`${task.name} `);
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
  { scale, connections, processes, seconds, rounds }: Options,
  { connection }: FilledDatabase,
  measured: { results: Result[]; memory: Memory[] },
) {
  const { rows } = await sql<{ serverVersion: string }>`show server_version`.execute(connection.db);
  return {
    scale,
    connections,
    processes,
    seconds,
    rounds,
    node: process.version,
    postgres: rows[0]?.serverVersion,
    processors: availableParallelism(),
    ...measured,
  };
}

const runs = readOptions(process.argv.slice(2));
const [first] = runs;
if (first) {
  if (first.peers.length > 0) await installPeers();
  // Runs of the same scale begin with the same database.
  const directory = first.data ?? (await mkdtemp(join(tmpdir(), 'stemma-bench-')));
  const reports = [];
  try {
    for (const options of runs) reports.push(await bench(options, directory));
  } finally {
    if (first.data === undefined) await rm(directory, { recursive: true, force: true });
  }
  if (first.json) await writeFile(first.json, `${JSON.stringify(reports, null, 2)}\n`);
}
