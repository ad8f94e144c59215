import { parseArgs } from 'node:util';

/** What a run measures, and how. */
export interface Options {
  /** Times 500 spaces, 20,000 pages, 5,000 change requests and 50,000 comments. */
  scale: number;
  /** Names of workloads, or what they begin with before a hyphen; empty: all. */
  only: string[];
  connections: number;
  /** How long each measurement takes; the warm-up before takes a third of it. */
  seconds: number;
  /** Measurements of each workload; the table has their medians. */
  rounds: number;
  /** File that gets the results as JSON. */
  json: string | undefined;
  /** Directory that keeps the filled database for the next run. */
  data: string | undefined;
  /** Directory that gets a CPU profile of the server. */
  profile: string | undefined;
}

const HELP = `npm run bench -- [options]

  --scale N        1: 5 organizations, 500 spaces, 20,000 pages, 5,000 change requests,
                   50,000 comments; default 1
  --only A,B       workloads by name: Q1, Q2, Q2R, Q3, Q4, R1, R2, P1, P2, S1, W1, W2; default all
  --connections N  requests under way at once; default 32
  --seconds N      length of a measurement; default 5
  --rounds N       measurements of each workload, of which the median is shown; default 3
  --json FILE      writes the results there
  --data DIR       keeps the filled database there, for the next run to begin with
  --profile DIR    writes a CPU profile of the server there (.cpuprofile)
`;

/** Reads the arguments of the command line; undefined: help was asked for, and is printed. */
export function readOptions(words: string[]): Options | undefined {
  const text = (value: string) => ({ type: 'string' as const, default: value });
  const { values } = parseArgs({
    args: words,
    options: {
      scale: text('1'),
      only: text(''),
      connections: text('32'),
      seconds: text('5'),
      rounds: text('3'),
      json: { type: 'string' },
      data: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const { json, data, profile } = values;
  return {
    scale: positive('scale', values.scale),
    only: values.only.split(',').filter((name) => name !== ''),
    connections: whole('connections', values.connections),
    seconds: whole('seconds', values.seconds),
    rounds: whole('rounds', values.rounds),
    json,
    data,
    profile,
  };
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
