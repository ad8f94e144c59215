import { type ContestedBody, type MergedTexts, mergeTexts } from '../../../lib/merge/texts/merge-texts.ts';

/** Runs `mergeTexts` in a worker. */
export const work = (contested: ContestedBody): MergedTexts => mergeTexts(contested);
