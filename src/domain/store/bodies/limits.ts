import type { Size } from '../../../lib/document/size.ts';

/**
 * Maximum size of a body. Bounds each copy between processes and each read or write, so that none of them blocks the
 * event loop for 100 ms. A page with 200,000 characters of prose has a fifth of this size.
 */
export const MAX_BODY_SIZE: Size = { values: 400_000, characters: 2_000_000, depth: 300 };

/** Bodies up to this size are processed in the event loop within a few milliseconds, larger ones in a worker. */
export const MAIN_THREAD_SIZE: Size = { values: 6_000, characters: 20_000, depth: 300 };

/** Maximum number of characters of small Markdown. */
export const SMALL_MARKDOWN = 5_000;

/** Time limit for a worker to process one body. */
export const WORK_MS = 20_000;
