import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asCaller } from './ask-once.ts';
import { type FilledDatabase, openFilled } from './database.ts';
import { measure, type PostgresUsage } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import { makePostgresUsage } from './postgres-usage.ts';
import { type ServerProcess, startService } from './processes.ts';
import { pickTargets, type Targets } from './targets.ts';
import { CALLERS } from './try-out.ts';
import { workloadsNamed } from './workloads.ts';

/*
 * How the CPU of a request grows with the data. The service runs on two databases at once, and each round measures both
 * right after each other, so that what else the machine does meets both alike. Shows the CPU of the service and PostgreSQL
 * for a request in milliseconds at both scales, and the median of the rounds' ratios.
 *
 *   npm run bench:scales -- --scale 1,20 [--only A,B] [--connections N] [--seconds N] [--rounds N] [--data DIR]
 */

/** The service on a database of one scale. */
interface Side {
  database: FilledDatabase;
  service: ServerProcess;
  targets: Targets;
  postgres: PostgresUsage;
}

async function openSide(directory: string, options: Options): Promise<Side> {
  const at = join(directory, `scale-${options.scale}`);
  const database = await openFilled(at, options);
  const { db } = database.connection;
  const service = await startService({ databaseUrl: database.url, dataDir: join(at, 'service') });
  return { database, service, targets: await pickTargets(db), postgres: await makePostgresUsage(db) };
}

async function closeSide({ service, database }: Side): Promise<void> {
  await service.stop();
  await database.close();
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(small: Side, large: Side, options: Options): Promise<void> {
  for (const { name, requests } of workloadsNamed(options.only).workloads) {
    for (const caller of CALLERS) {
      const cpuOf = async ({ service, targets, postgres }: Side) => {
        const { serverCpu, postgresCpu = 0 } = await measure(
          service,
          asCaller(requests(targets), caller),
          options,
          postgres,
        );
        return serverCpu + postgresCpu;
      };
      const rounds: { small: number; large: number }[] = [];
      for (let round = 0; round < options.rounds; round++) {
        const first = round % 2 === 0 ? small : large;
        const [one, other] = [await cpuOf(first), await cpuOf(first === small ? large : small)];
        rounds.push(first === small ? { small: one, large: other } : { small: other, large: one });
      }
      const growth = rounds.map((cpu) => cpu.large / cpu.small);
      const row = [
        median(rounds.map((cpu) => cpu.small)),
        median(rounds.map((cpu) => cpu.large)),
        median(growth),
        Math.min(...growth),
        Math.max(...growth),
      ];
      console.info(`| ${[name, caller, ...row.map((value) => value.toFixed(2))].join(' | ')} |`);
    }
  }
}

const [small, large, ...more] = readOptions(process.argv.slice(2));
if (small) {
  if (!large || more.length > 0) throw new Error('--scale must be two scales: --scale 1,20.');
  const directory = small.data ?? (await mkdtemp(join(tmpdir(), 'stemma-bench-')));
  const sides: Side[] = [];
  try {
    const one = await openSide(directory, small);
    sides.push(one);
    const other = await openSide(directory, large);
    sides.push(other);
    console.info(`| | by | CPU ms at scale ${small.scale} | at scale ${large.scale} | growth | least | most |`);
    console.info('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
    await compare(one, other, small);
  } finally {
    for (const side of sides) await closeSide(side);
    if (small.data === undefined) await rm(directory, { recursive: true, force: true });
  }
}
