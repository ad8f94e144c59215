import type { Size } from '../../../lib/document/size.ts';

/**
 * The maximum size of a body. It bounds what is copied between processes, written and read in one piece, so that no step
 * blocks the event loop for 100 ms. A page with 200,000 characters of prose has a fifth of this size.
 */
export const LARGEST: Size = { values: 400_000, characters: 2_000_000, depth: 300 };

/** Bodies up to this size are processed in the event loop within a few milliseconds, larger ones in a worker. */
export const SMALL: Size = { values: 6_000, characters: 20_000, depth: 300 };

/** Maximum number of characters of small Markdown. */
export const SMALL_MARKDOWN = 5_000;

/** Time limit for a worker to process one body. */
export const WORK_MS = 20_000;
