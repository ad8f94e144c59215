import { pickSide, type Three } from './three.ts';

/**
 * The text that the merged body is a patch of: the one that a side changed. If both did, that of the change request is
 * kept; the blocks of the other side are printed into it.
 */
export function mergedSource(hashes: Three<string | undefined>): string | undefined {
  return hashes[pickSide(hashes, (a, b) => a === b) ?? 'ours'];
}
