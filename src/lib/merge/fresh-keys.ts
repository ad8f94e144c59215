import { sha256 } from '../canonical.ts';
import type { NextKey } from '../document/keys.ts';

/** Keys that follow from the seed alone, so that the same merge makes the same document. */
export function freshKeys(seed: string): NextKey {
  let count = 0;
  return () => sha256(`${seed}:${count++}`).slice(0, 12);
}
