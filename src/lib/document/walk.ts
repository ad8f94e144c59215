import type { AnyNode, Block, JSONDocument } from './document.ts';

/** Calls `visit` for every node below the document in reading order, with the block nearest around it. */
export function walk(document: JSONDocument, visit: (node: AnyNode, around: Block | null) => void): void {
  for (const node of document.nodes) walkNode(node, null, visit);
}

/** The nodes directly below: children first, then the contents of fragments in their order. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const nodes: AnyNode[] = 'nodes' in node ? node.nodes : [];
  return 'fragments' in node ? [...nodes, ...node.fragments] : nodes;
}

function walkNode(node: AnyNode, around: Block | null, visit: (node: AnyNode, around: Block | null) => void): void {
  visit(node, around);
  const next = node.object === 'block' ? node : around;
  if ('nodes' in node) for (const child of node.nodes) walkNode(child, next, visit);
  if ('fragments' in node) for (const child of node.fragments) walkNode(child, next, visit);
}
