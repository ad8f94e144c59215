import type { RootContent } from 'mdast';

/** Moves the positions of nodes and their descendants by a number of lines. */
export function moveLines(nodes: readonly RootContent[], by: number): void {
  const pending = [...nodes];
  for (let node = pending.pop(); node; node = pending.pop()) {
    // The positions at both ends may be one object.
    if (node.position) {
      const { start, end } = node.position;
      node.position = { start: { ...start, line: start.line + by }, end: { ...end, line: end.line + by } };
    }
    if ('children' in node) for (const child of node.children) pending.push(child);
  }
}
