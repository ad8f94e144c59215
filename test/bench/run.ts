import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { asCaller, askOnce, expectSame } from './ask-once.ts';
import { type FilledDatabase, openFilled } from './database.ts';
import type { Caller } from './fill/people.ts';
import { measure, type PostgresUsage } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import { makePostgresUsage } from './postgres-usage.ts';
import { type ServerProcess, startLimit, startService } from './processes.ts';
import { type Result, type Round, resultOf, tableOf } from './report.ts';
import { pickTargets, type Targets } from './targets.ts';
import { type Workload, workloadsNamed } from './workloads.ts';

const CALLERS: Caller[] = ['admin', 'guest'];

/** Everything that a run needs. */
interface Bench {
  options: Options;
  targets: Targets;
  service: ServerProcess;
  limit: ServerProcess;
  postgres: PostgresUsage;
}

/** Statements of each workload, by its name and the caller. */
type Statements = ReadonlyMap<string, number>;

async function bench(options: Options): Promise<void> {
  const workloads = workloadsNamed(options.only);
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
    const statements = await tryOut({ databaseUrl, dataDir }, { workloads, targets, limit });
    const service = opened(await startService({ databaseUrl, dataDir, profile: options.profile }));
    const postgres = await makePostgresUsage(connection.db);
    const results = await measureAll({ options, targets, service, limit, postgres }, workloads, statements);
    process.stdout.write(`\n${tableOf(results)}\n`);
    if (options.json)
      await writeFile(options.json, `${JSON.stringify(await reportOf(options, database, results), null, 2)}\n`);
  } finally {
    for (const server of servers) await server.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Sends each workload once, by both callers, to see that it works, does what the limit does, and takes how many statements. */
async function tryOut(
  where: { databaseUrl: string; dataDir: string },
  { workloads, targets, limit }: { workloads: Workload[]; targets: Targets; limit: ServerProcess },
): Promise<Statements> {
  const service = await startService({ ...where, countsStatements: true });
  const statements = new Map<string, number>();
  try {
    for (const { name, requests, limit: bare, varying } of workloads) {
      for (const caller of CALLERS) {
        const [request] = asCaller(requests(targets), caller);
        // The first request of a process finds no token that it remembers.
        await askOnce(service, request);
        const answer = await askOnce(service, request);
        statements.set(`${name} ${caller}`, answer.statements);
        if (bare) expectSame(name, answer.body, (await askOnce(limit, bare(targets)[0])).body, varying);
      }
    }
  } finally {
    await service.stop();
  }
  return statements;
}

async function measureAll(run: Bench, workloads: Workload[], statements: Statements): Promise<Result[]> {
  const results: Result[] = [];
  for (const workload of workloads) {
    const rounds = new Map<Caller, Round[]>(CALLERS.map((caller) => [caller, []]));
    for (let round = 0; round < run.options.rounds; round++) await measureRound(run, workload, rounds);
    for (const [caller, measured] of rounds) {
      const known = statements.get(`${workload.name} ${caller}`) ?? 0;
      results.push(resultOf(workload, { caller, statements: known, rounds: measured }));
    }
    process.stderr.write(`${workload.name} `);
  }
  return results;
}

/** The limit and both callers right after each other, so that what else the machine does meets all alike. */
async function measureRound(run: Bench, { requests, limit }: Workload, rounds: Map<Caller, Round[]>): Promise<void> {
  const { options, targets, postgres } = run;
  const bare = limit && (await measure(run.limit, limit(targets), options, postgres));
  for (const [caller, measured] of rounds) {
    const ours = await measure(run.service, asCaller(requests(targets), caller), options, postgres);
    measured.push({ ours, limit: bare });
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
