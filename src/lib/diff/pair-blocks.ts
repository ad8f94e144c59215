import { canonicalJson } from '../canonical.ts';
import type { Block } from '../document/document.ts';
import { withoutKeys } from '../document/keys.ts';
import { mergeOrder } from '../merge/merge-order.ts';

/** Identifies a block in both versions. Stored blocks have keys. */
export const blockIdentity = (block: Block): string => block.key ?? JSON.stringify(block);

/**
 * The names of both lists in the order of the later one. Names that are only in the earlier list follow their
 * predecessors.
 */
export function mergeNames(before: readonly string[], after: readonly string[]): string[] {
  return mergeOrder({ base: before, ours: before, theirs: after }, new Set([...after, ...before]));
}

/** Whether two blocks are equal apart from keys and anchors. */
export function isSameBlock(before: Block, after: Block): boolean {
  if (before.type !== after.type) return false;
  return (
    JSON.stringify(before) === JSON.stringify(after) ||
    canonicalJson(withoutKeys(before)) === canonicalJson(withoutKeys(after))
  );
}
