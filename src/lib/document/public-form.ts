import { block, codeLines, textNode } from './build.ts';
import type { AnyNode, Block, BlockType, Fragment, JSONDocument } from './document.ts';
import { assignKeys, countedKeys } from './keys.ts';
import { mapChildren } from './map-children.ts';
import { separate } from './markdown/read/fit.ts';
import { type BlockRule, blockRules } from './node-rules.ts';
import { walk } from './walk.ts';

/** A block that the public schema does not allow at its place. */
export interface BeyondPublic {
  key: string;
  type: BlockType;
  /** Type of the block that contains it; null at the top level. */
  parent: BlockType | null;
}

/**
 * The document as the public schema allows it. Blocks of unknown tags become code, blocks that a container may not hold
 * become simpler ones or follow it, and buttons without a target become text. `data.beyond` lists these blocks. Returns
 * the document itself if it is allowed as it is.
 */
export function publicForm(document: JSONDocument): JSONDocument {
  const beyond = beyondPublic(document);
  if (beyond.length === 0 && !hasBareButton(document)) return document;
  const nodes = document.nodes.flatMap(publicBlocks);
  const publicDocument: JSONDocument = {
    ...document,
    data: { ...document.data, ...(beyond.length > 0 && { beyond }) },
    nodes,
  };
  assignKeys(publicDocument, countedKeys('public-'));
  return publicDocument;
}

function beyondPublic(document: JSONDocument): BeyondPublic[] {
  const beyond: BeyondPublic[] = [];
  walk(document, (node, around) => {
    if (node.object !== 'block') return;
    const allowed = around && publiclyAllowed(around.type);
    if (node.type === 'unknown' || (allowed && !allowed.includes(node.type))) {
      beyond.push({ key: node.key ?? '', type: node.type, parent: around?.type ?? null });
    }
  });
  return beyond;
}

/** The blocks that the public schema allows in a container, if it allows fewer than documents have. */
function publiclyAllowed(type: BlockType): readonly BlockType[] | undefined {
  const { publicChildren, fragments }: BlockRule = blockRules[type];
  if (publicChildren) return publicChildren;
  return typeof fragments === 'object'
    ? fragments.find(({ publicAllowed }) => publicAllowed)?.publicAllowed
    : undefined;
}

function hasBareButton(document: JSONDocument): boolean {
  let hasButton = false;
  walk(document, (node) => {
    hasButton ||= isBareButton(node);
  });
  return hasButton;
}

const isBareButton = (node: AnyNode): boolean =>
  node.object === 'inline' && node.type === 'button' && !node.data.ref && !node.data.action;

/** The allowed form of a block, followed by the blocks that it may not contain. */
function publicBlocks(node: Block): Block[] {
  if (node.type === 'unknown') {
    const code = block('code', { data: {}, nodes: codeLines(node.data.source) });
    return [{ ...code, ...(node.key !== undefined && { key: node.key }) }];
  }
  const outside: Block[] = [];
  const mapped = mapChildren(node, (child) => publicChildren(child, outside));
  return [publicContent(mapped, outside), ...outside];
}

function publicChildren(child: AnyNode, outside: Block[]): AnyNode[] {
  if (child.object === 'inline' && child.type === 'button' && isBareButton(child)) return [textNode(child.data.label)];
  if (child.object !== 'block') return [mapChildren(child, (each) => publicChildren(each, outside))];
  const [first, ...others] = publicBlocks(child);
  if (!isPart(child)) return [...(first ? [first] : []), ...others];
  outside.push(...others);
  return first ? [first] : [];
}

/** Parts of lists, tabs, steppers, updates and columns cannot have other blocks beside them. */
const isPart = ({ type }: Block): boolean =>
  type === 'list-item' || type === 'tabs-item' || type === 'stepper-step' || type === 'update' || type === 'column';

function publicContent(node: Block, outside: Block[]): Block {
  const allowed = publiclyAllowed(node.type);
  if (!allowed) return node;
  const fitBlocks = (blocks: readonly Block[]): Block[] => {
    const parts = separate({ type: node.type, allowed, line: 0, report: () => {} }, blocks);
    outside.push(...parts.outside);
    return parts.inside.length > 0 ? parts.inside : [block('paragraph', { data: {}, nodes: [textNode('')] })];
  };
  if (node.type === 'expandable') {
    return {
      ...node,
      fragments: node.fragments.map((each) => (isBody(each) ? { ...each, nodes: fitBlocks(each.nodes) } : each)),
    };
  }
  return { ...node, nodes: fitBlocks((node as { nodes: Block[] }).nodes) } as Block; // only containers of blocks have a rule
}

const isBody = ({ fragment, type }: Fragment): boolean => fragment === 'expandable-body' || type === 'expandable-body';
