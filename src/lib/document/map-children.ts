import type { AnyNode, Block, JSONDocument } from './document.ts';

/** A node with its children replaced by `replace`; the node itself if nothing changed. */
export function mapChildren<T extends JSONDocument | AnyNode>(node: T, replace: (child: AnyNode) => AnyNode[]): T {
  const changed: Record<string, unknown> = {};
  for (const member of ['nodes', 'fragments'] as const) {
    const before = (node as { [name in typeof member]?: AnyNode[] })[member]; // some nodes have none
    const after = before?.flatMap(replace);
    if (before && after && !isSame(before, after)) changed[member] = after;
  }
  return Object.keys(changed).length > 0 ? { ...node, ...changed } : node;
}

/** The document with blocks replaced by `replace`, at any depth. */
export function mapBlocks(document: JSONDocument, replace: (block: Block) => Block[] | undefined): JSONDocument {
  const each = (node: AnyNode): AnyNode[] =>
    (node.object === 'block' ? replace(node) : undefined) ?? [mapChildren(node, each)];
  return mapChildren(document, each);
}

const isSame = (before: readonly unknown[], after: readonly unknown[]) =>
  before.length === after.length && before.every((item, index) => item === after[index]);
