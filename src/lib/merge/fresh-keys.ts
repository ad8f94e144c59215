import { sha256 } from '../canonical.ts';
import type { NextKey } from '../document/keys.ts';

/** Keys that depend only on the seed, so that merges are deterministic. */
export function freshKeys(seed: string): NextKey {
  let count = 0;
  return () => sha256(`${seed}:${count++}`).slice(0, 12);
}
