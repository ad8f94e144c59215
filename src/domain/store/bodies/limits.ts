import type { Size } from '../../../lib/document/size.ts';

/**
 * The largest body: what is copied between threads, written and read in one piece is never more, so that no step of it
 * holds the event loop for 100 ms. A page of 200,000 characters of prose is a fifth of it.
 */
export const LARGEST: Size = { values: 400_000, characters: 2_000_000, depth: 300 };

/** Bodies up to this are read and derived at once, in a few milliseconds; larger ones in another thread. */
export const SMALL: Size = { values: 6_000, characters: 20_000, depth: 300 };

/** Markdown up to so many characters is small. */
export const SMALL_MARKDOWN = 5_000;

/** How long a thread may take for one body. */
export const WORK_MS = 20_000;
