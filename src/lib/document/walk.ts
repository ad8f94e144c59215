import type { AnyNode, Block, JSONDocument } from './document.ts';

/** Calls `visit` for every node of the document in reading order, with its nearest enclosing block. */
export function walk(document: JSONDocument, visit: (node: AnyNode, around: Block | null) => void): void {
  for (const node of document.nodes) walkNode(node, null, visit);
}

/** Direct children of a node: its nodes first, then the content of its fragments, in order. */
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
