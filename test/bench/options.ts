import { parseArgs } from 'node:util';
import { isPeer, PEERS, type Peer } from './peers.ts';

/** What a run measures, and how. */
export interface Options {
  /** Times 500 spaces, 20,000 pages, 5,000 change requests and 50,000 comments. */
  scale: number;
  /** Names of workloads, or what they begin with before a hyphen; empty: all. */
  only: string[];
  connections: number;
  /** Processes that the service runs in; other servers run in one. */
  processes: number;
  /** How long each measurement takes; the warm-up before takes a third of it. */
  seconds: number;
  /** Measurements of each workload; the table has their medians. */
  rounds: number;
  /** File that gets the reports of all runs as JSON. */
  json: string | undefined;
  /** Directory that keeps the filled databases for the next run. */
  data: string | undefined;
  /** Servers of other projects to compare with. */
  peers: Peer[];
  /** Directory that gets a CPU profile of the server. */
  profile: string | undefined;
}

const HELP = `npm run bench -- [options]

  --scale N,M      1: 5 organizations, 500 spaces, 20,000 pages, 5,000 change requests,
                   50,000 comments; default 1. Each
                   scale gets its own tables
  --only A,B       workloads by name: Q1, Q2, Q2R, Q3, Q4, R1, R2, P1, P2, P3, C1, S1, W1,
                   W2, M1 (merges), I1 (import of 200 pages); default all
  --connections N,M
                   requests under way at once; default 32. Each number gets its own
                   tables, by servers that were started for it: memory at 32,128
  --processes N,M  server processes of the service (WEB_CONCURRENCY); default 1. Each number gets
                   its own tables, where CPU and memory are those of all of them together, and
                   of the process that starts them. Other servers keep one process
  --seconds N      length of a measurement; default 5
  --rounds N       measurements of each workload, of which the median is shown; default 3
  --peers A,B      servers to compare with: postgraphile, mercurius, yoga, fastify,
                   or none; default all. The first run installs them in test/bench/peers
  --quick          two minutes: scale .1, one round of a second, Q1 to Q4, R1 and R2
  --json FILE      writes the results there
  --data DIR       keeps the filled database there, for the next run to begin with
  --profile DIR    writes a CPU profile of the server there (.cpuprofile)
`;

/**
 * Reads the arguments of the command line: one run for each scale, number of connections and number of processes.
 * Without any, help was asked for, and is printed.
 */
export function readOptions(words: string[]): Options[] {
  const quick = words.includes('--quick');
  const text = (value: string) => ({ type: 'string' as const, default: value });
  const { values } = parseArgs({
    args: words,
    options: {
      scale: text(quick ? '0.1' : '1'),
      only: text(quick ? 'Q1,Q2,Q2R,Q3,R1,R2,Q4' : ''),
      connections: text('32'),
      processes: text('1'),
      seconds: text(quick ? '1' : '5'),
      rounds: text(quick ? '1' : '3'),
      peers: text(PEERS.join()),
      quick: { type: 'boolean' },
      json: { type: 'string' },
      data: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return [];
  }
  const { json, data, profile } = values;
  const shared = {
    only: values.only.split(',').filter((name) => name !== ''),
    seconds: whole('seconds', values.seconds),
    rounds: whole('rounds', values.rounds),
    peers: peersNamed(values.peers),
    json,
    data,
    profile,
  };
  const wholes = (name: 'connections' | 'processes') => values[name].split(',').map((value) => whole(name, value));
  const scales = values.scale.split(',').map((value) => positive('scale', value));
  return scales.flatMap((scale) =>
    wholes('connections').flatMap((connections) =>
      wholes('processes').map((processes) => ({ ...shared, scale, connections, processes })),
    ),
  );
}

function peersNamed(names: string): Peer[] {
  if (names === 'none') return [];
  return names.split(',').map((name) => {
    if (isPeer(name)) return name;
    throw new Error(`There is no peer "${name}". There are ${PEERS.join(', ')}.`);
  });
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error(`--${name} must be a number above 0, not "${value}".`);
}

function whole(name: string, value: string): number {
  if (Number.isInteger(Number(value))) return positive(name, value);
  throw new Error(`--${name} must be a whole number, not "${value}".`);
}
