import type { JSONDocument } from '../../../lib/document/document.ts';
import { type PreparedDocument, prepareReplacement, type ValidatedBody } from '../prepared-bodies/index.ts';

/** Runs `prepareReplacement` in a worker. */
export const work = (input: {
  previous: JSONDocument | undefined;
  read: Pick<ValidatedBody, 'body' | 'isMarkdown'>;
}): PreparedDocument => prepareReplacement(input.previous, input.read);
