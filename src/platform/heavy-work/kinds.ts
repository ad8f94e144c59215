import { availableParallelism } from 'node:os';

/** What runs at once in one lane, and what waits for it. */
export interface LaneBounds {
  /** Pieces of work that run at a time. */
  atOnce: number;
  /** Of these, for one organization: at least one place is left to others. */
  atOncePerOwner: number;
  /** Pieces that wait; beyond it the organization that has most of them waiting is refused. */
  waiting: number;
  waitingPerOwner: number;
}

const THREADS = Math.max(2, Math.min(8, Math.floor(availableParallelism() / 2)));

const bounds = (atOnce: number, waiting: number, waitingPerOwner: number): LaneBounds => ({
  atOnce,
  atOncePerOwner: Math.max(1, atOnce - 1),
  waiting,
  waitingPerOwner,
});

/**
 * Short work (one body, one page of HTML) never waits for long work (an archive), nor that for printing. Long work and
 * printing take hundreds of megabytes, so only a few run at once, regardless of the number of processors.
 */
export const LANES = {
  short: bounds(THREADS, 400, 50),
  long: bounds(2, 100, 10),
  /** PDFs, each in a process of its own. */
  print: bounds(1, 100, 10),
  /** Sources of imports on their way to the disk. */
  network: { atOnce: 8, atOncePerOwner: 4, waiting: 100, waitingPerOwner: 10 },
} as const;

export type Lane = keyof typeof LANES;

/** Which lane each kind of work waits in. The names are labels of the metrics. */
export const KINDS = {
  'read-body': 'short',
  'write-body': 'short',
  'mark-body': 'short',
  'print-body': 'short',
  'read-html': 'short',
  'fetch-source': 'network',
  import: 'long',
  pdf: 'print',
} as const satisfies Record<string, Lane>;

export type Kind = keyof typeof KINDS;

/**
 * The JavaScript heap of one thread or process, in MB: work that needs more is ended. Printing the largest PDF takes
 * most. With two processors all places together have 1.7 GB at most; each further thread for short work adds its own.
 */
export const THREAD_MEGABYTES: Record<Lane, number> = { short: 160, long: 384, print: 640, network: 128 };
