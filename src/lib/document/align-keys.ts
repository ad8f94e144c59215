import { canonicalJson } from '../canonical.ts';
import { alignTable } from './align-table.ts';
import { assignAnchors } from './anchors.ts';
import type { AnyNode, Block, BlockOf, Fragment, JSONDocument } from './document.ts';
import { assignKeys, makeKey, type NextKey, unusedKey, withoutKeys } from './keys.ts';
import { type Likeness, pairSequences } from './pair-sequences.ts';
import { textOf } from './plain-text.ts';
import { distinctWords, sharedWords } from './shared-words.ts';
import { walk } from './walk.ts';

/**
 * Gives a document the keys of an earlier version, for edits in a form without keys. Unchanged and moved nodes keep
 * their keys, and edited nodes get the key of the most similar node between unchanged neighbors, at every level. Tables
 * keep the ids of columns, records and cells in the same way. Other nodes keep their own keys unless the earlier
 * document uses them. `pairs` has top-level nodes of `next` that are known to be nodes of `previous`, by their indexes.
 */
export function alignKeys(
  previous: JSONDocument,
  next: JSONDocument,
  nextKey: NextKey = makeKey,
  pairs: ReadonlyMap<number, number> = new Map(),
): JSONDocument {
  const earlierKeys = new Set<string>();
  walk(previous, (node) => {
    if (node.key !== undefined) earlierKeys.add(node.key);
  });
  const alignment = { earlierKeys, likeness: likenessOfNodes() };
  const document = { ...next, nodes: alignOthers(previous.nodes, next.nodes, alignment, pairs) };
  assignKeys(document, () => unusedKey(earlierKeys, nextKey));
  assignAnchors(document);
  return document;
}

interface Alignment {
  /** The keys of the earlier document. */
  earlierKeys: ReadonlySet<string>;
  likeness: Likeness<AnyNode>;
}

/**
 * A node of the same type can be a partner even if its words differ, a node of another type only if its words are the
 * same.
 */
function likenessOfNodes(): Likeness<AnyNode> {
  const identities = new WeakMap<AnyNode, string>();
  const wordSets = new WeakMap<AnyNode, ReadonlySet<string>>();
  const words = (node: AnyNode): ReadonlySet<string> => {
    const wordSet = wordSets.get(node) ?? distinctWords(textOf(node));
    wordSets.set(node, wordSet);
    return wordSet;
  };
  return {
    identity(node) {
      const identity = identities.get(node) ?? canonicalJson(withoutKeys(node));
      identities.set(node, identity);
      return identity;
    },
    score(a, b) {
      if (a.object !== b.object) return 0;
      const shared = sharedWords(words(a), words(b));
      if (typeOf(a) === typeOf(b)) return 0.25 + shared;
      return shared > 0.5 ? shared : 0;
    },
  };
}

/** Aligns the nodes that are not known to be earlier ones. */
function alignOthers(
  previous: readonly Block[],
  next: readonly Block[],
  alignment: Alignment,
  pairs: ReadonlyMap<number, number>,
): Block[] {
  const used = new Set(pairs.values());
  const others = alignNodes(
    previous.filter((_, i) => !used.has(i)),
    next.filter((_, i) => !pairs.has(i)),
    alignment,
  ).values();
  return next.map((node, i) => {
    const earlier = previous[pairs.get(i) ?? -1];
    return earlier ? copyOf(earlier) : (others.next().value ?? node);
  });
}

function alignNodes(previous: readonly AnyNode[], next: readonly AnyNode[], alignment: Alignment): Block[] {
  const { identity } = alignment.likeness;
  const partners = pairSequences<AnyNode>(previous, next, alignment.likeness);
  const aligned = next.map((node, i) => {
    const partner = previous[partners[i] ?? -1];
    return partner && identity(partner) === identity(node) ? copyOf(partner) : alignNode(partner, node, alignment);
  });
  return aligned as Block[]; // nodes keep their types, so the caller's type remains valid
}

/** Rebuilds the node including its data. A node that only differs in keys is replaced by the earlier node itself. */
function copyOf<T extends AnyNode>(node: T): T {
  const copy: Record<string, unknown> = { ...node };
  if ('nodes' in node) copy.nodes = node.nodes.map(copyOf);
  if ('fragments' in node) copy.fragments = node.fragments.map(copyOf);
  return copy as unknown as T; // has the same properties, some of them copied
}

/**
 * A copy of the node with the key of its partner. Without a partner, it keeps its own key if the earlier document does
 * not have that key.
 */
function alignNode<T extends AnyNode>(partner: AnyNode | undefined, node: T, alignment: Alignment): T {
  const source: AnyNode = isTable(partner) && isTable(node) ? alignTable(partner, node) : node;
  const copy: Record<string, unknown> = { ...source };
  if (partner) copy.key = partner.key;
  else if (alignment.earlierKeys.has(source.key ?? '')) delete copy.key;
  if ('nodes' in source) copy.nodes = alignNodes(childrenIn(partner), source.nodes, alignment);
  if ('fragments' in source) copy.fragments = alignFragments(fragmentsIn(partner), source.fragments, alignment);
  return copy as unknown as T; // has the same properties, some of them copied
}

/** Fragments are paired by name: the parts of a block, or the cells of a table whose ids are aligned. */
function alignFragments(previous: readonly Fragment[], next: readonly Fragment[], alignment: Alignment): Fragment[] {
  const byName = new Map(previous.map((each) => [each.fragment ?? each.type, each]));
  return next.map((each) => alignNode(byName.get(each.fragment ?? each.type), each, alignment));
}

function isTable(node: AnyNode | undefined): node is BlockOf<'table'> {
  return node?.object === 'block' && node.type === 'table';
}

function typeOf(node: AnyNode): string | undefined {
  return 'type' in node ? node.type : undefined;
}

function childrenIn(node: AnyNode | undefined): readonly AnyNode[] {
  return node && 'nodes' in node ? node.nodes : [];
}

function fragmentsIn(node: AnyNode | undefined): readonly Fragment[] {
  return node && 'fragments' in node ? node.fragments : [];
}
