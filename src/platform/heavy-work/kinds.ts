import { availableParallelism } from 'node:os';
import type { QueueBounds } from '../fair-shares/fair-queue.ts';

const SHORT_AT_ONCE = Math.max(2, Math.min(8, Math.floor(availableParallelism() / 2)));

const bounds = (atOnce: number, waiting: number, waitingPerOwner: number): QueueBounds => ({
  atOnce,
  atOncePerOwner: Math.max(1, atOnce - 1),
  waiting,
  waitingPerOwner,
});

/**
 * Short work (one body, one page of HTML) never waits for long work (an archive), and long work never waits for
 * printing. PDFs of a few pages never wait for books. Long work and printing take hundreds of megabytes, so only a few
 * items run at a time, regardless of the number of processors.
 */
export const LANES = {
  short: bounds(SHORT_AT_ONCE, 400, 50),
  long: bounds(2, 100, 10),
  /** Linting, which nothing waits for. It has a lane of its own so that it does not delay other work. */
  lint: bounds(1, 100, 10),
  /**
   * Git runs and checks of connections, which fetch and push. They hold a slot while they wait for a Git server, which
   * must not delay other long work.
   */
  git: bounds(2, 100, 10),
  /** PDFs that take seconds, each printed in its own process. */
  print: bounds(1, 100, 10),
  /** PDFs that can take minutes. */
  book: bounds(1, 100, 10),
  /** Listings of the branches of Git servers, which can be slow without delaying other work. */
  list: { atOnce: 4, atOncePerOwner: 2, waiting: 100, waitingPerOwner: 10 },
  /** Downloads of import sources. They need no worker. */
  network: { atOnce: 8, atOncePerOwner: 4, waiting: 100, waitingPerOwner: 10 },
  /** Expensive GraphQL operations. They run in the event loop, so more at a time only take more memory. */
  query: { atOnce: 2, atOncePerOwner: 1, waiting: 400, waitingPerOwner: 40 },
} as const;

export type Lane = keyof typeof LANES;

/** The lane of each kind of work. The names are labels of the metrics. */
export const KINDS = {
  'read-body': 'short',
  'write-body': 'short',
  'mark-body': 'short',
  'print-body': 'short',
  'merge-texts': 'short',
  'print-html': 'short',
  'draw-image': 'short',
  'read-html': 'short',
  'verify-saml': 'short',
  'redact-text': 'short',
  'fetch-source': 'network',
  'list-git': 'list',
  'group-issues': 'long',
  import: 'long',
  'process-openapi': 'long',
  'lint-openapi': 'lint',
  'compare-openapi': 'long',
  'sync-git': 'git',
  pdf: 'print',
  book: 'book',
  query: 'query',
} as const satisfies Record<string, Lane>;

export type Kind = keyof typeof KINDS;

/**
 * Limit of the JavaScript heap of one worker, in MB. Printing a book takes the most: 370 MB for 2,500 pages, and
 * nearly all for an image with transparency of 24 million pixels. With two processors, all slots together have at most
 * 3.5 GB. Each further worker for short work adds its own heap.
 */
export const WORKER_MEGABYTES: Record<Lane, number> = {
  short: 160,
  long: 384,
  lint: 384,
  git: 384,
  print: 192,
  book: 512,
  list: 128,
  network: 128,
  query: 128,
};
