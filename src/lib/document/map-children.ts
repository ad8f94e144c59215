import { paragraph, textNode } from './build.ts';
import type { AnyNode, Block, JSONDocument } from './document.ts';
import { essentialForm } from './markdown/read/essential-form.ts';
import { allowedBlocks } from './node-rules.ts';

/**
 * A node with its children replaced by `replace`; the node itself if nothing changed. Fragments that had blocks keep at
 * least one, an empty paragraph. Blocks that the node may not contain, such as images from a condition in a list item,
 * become their essential form.
 */
export function mapChildren<T extends JSONDocument | AnyNode>(node: T, replace: (child: AnyNode) => AnyNode[]): T {
  const changed: Record<string, unknown> = {};
  for (const member of ['nodes', 'fragments'] as const) {
    const before = (node as { [name in typeof member]?: AnyNode[] })[member]; // some nodes have none
    const after = before?.flatMap(replace);
    if (!before || !after || isSame(before, after)) continue;
    changed[member] = fitted(node, before, after);
  }
  return Object.keys(changed).length > 0 ? { ...node, ...changed } : node;
}

/** The document with blocks replaced by `replace`, at any depth. */
export function mapBlocks(document: JSONDocument, replace: (block: Block) => Block[] | undefined): JSONDocument {
  const visit = (node: AnyNode): AnyNode[] =>
    (node.object === 'block' ? replace(node) : undefined) ?? [mapChildren(node, visit)];
  return mapChildren(document, visit);
}

const isSame = (before: readonly unknown[], after: readonly unknown[]) =>
  before.length === after.length && before.every((item, index) => item === after[index]);

/** New children of a node, as the schema allows them. */
function fitted(node: JSONDocument | AnyNode, before: readonly AnyNode[], after: AnyNode[]): AnyNode[] {
  if (node.object === 'fragment') return after.length > 0 ? after : [placeholderFor(before[0])];
  const allowed = node.object === 'block' ? allowedBlocks(node.type) : undefined;
  if (allowed === undefined) return after;
  return after.flatMap((child) => {
    const isAllowed = child.object !== 'block' || allowed.includes(child.type);
    return isAllowed ? [child] : (essentialForm(child) ?? [child]);
  });
}

/** An empty paragraph in the place of a removed block, whose key it takes over. */
function placeholderFor(removed: AnyNode | undefined): Block {
  if (removed?.key === undefined) return paragraph();
  const { key } = removed;
  return { ...paragraph([{ ...textNode(''), key: `${key}-text` }]), key };
}
