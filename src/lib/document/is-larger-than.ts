import type { AnyNode, JSONDocument } from './document.ts';
import { childrenOf } from './walk.ts';

/** Whether a document has more than this number of nodes. Stops counting there. */
export function isLargerThan(nodes: number, document: JSONDocument): boolean {
  let level: readonly AnyNode[] = document.nodes;
  let count = 0;
  while (level.length > 0) {
    count += level.length;
    if (count > nodes) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}
