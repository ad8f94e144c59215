import type { JSONDocument } from '../../../lib/document/document.ts';
import { type PreparedDocument, type ReadBody, writeOver } from '../prepared-bodies/index.ts';

/** Runs `writeOver` in a worker. */
export const work = (given: {
  previous: JSONDocument | undefined;
  read: Pick<ReadBody, 'body' | 'isMarkdown'>;
}): PreparedDocument => writeOver(given.previous, given.read);
