import type { JSONDocument } from '../../../lib/document/document.ts';
import { countCells, isWithinSize, MAX_CELLS, type Size, sizeOf } from '../../../lib/document/size.ts';

/**
 * Maximum size of a body. Bounds each copy between processes and each read or write, so that none of them blocks the
 * event loop for 100 ms. A page with 200,000 characters of prose has a fifth of this size.
 */
export const MAX_BODY_SIZE: Size = { values: 400_000, characters: 2_000_000, depth: 300 };

/** Whether a body has at most the maximum size. */
export const isPermitted = (body: JSONDocument): boolean =>
  isWithinSize(sizeOf(body, MAX_BODY_SIZE), MAX_BODY_SIZE) && countCells(body) <= MAX_CELLS;

/** Bodies up to this size are processed in the event loop within a few milliseconds, larger ones in a worker. */
export const MAIN_THREAD_SIZE: Size = { values: 6_000, characters: 20_000, depth: 300 };

const MAIN_THREAD_CELLS = 6_000;

/** Whether a body is processed in the event loop. */
export const isSmallBody = (body: JSONDocument): boolean =>
  isWithinSize(sizeOf(body, MAIN_THREAD_SIZE), MAIN_THREAD_SIZE) && countCells(body) <= MAIN_THREAD_CELLS;

const SMALL_MARKDOWN = 5_000;

/** Whether Markdown is read in the event loop. A table has at most as many cells as its rows times the widest one. */
export const isSmallMarkdown = (markdown: string): boolean =>
  markdown.length <= SMALL_MARKDOWN && mostCells(markdown) <= MAIN_THREAD_CELLS;

function mostCells(markdown: string): number {
  const lines = markdown.split('\n');
  const widest = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  const [rows, cells] = [/<tr\b/gi, /<t[dh]\b/gi].map((tag) => markdown.match(tag)?.length ?? 0);
  // A cell can span 50 columns.
  const columns = (cells ?? 0) * (/colspan/i.test(markdown) ? 50 : 1);
  return Math.max(lines.length * widest, (rows ?? 0) * columns);
}

/** Time limit for a worker to process one body. */
export const WORK_MS = 20_000;
