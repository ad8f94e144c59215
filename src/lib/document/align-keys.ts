import { canonicalJson } from '../canonical.ts';
import { longestIncreasing } from '../tree/order.ts';
import type { AnyNode, BlockOf, JSONDocument } from './document.ts';
import { assignKeys, type NextKey, withoutKeys } from './keys.ts';
import { textOf } from './plain-text.ts';
import { columnsOf, recordsOf } from './table-cells.ts';
import { renameTable } from './table-ids.ts';

/**
 * A document written over another, with the other's keys wherever a node is the same or an edited form of one: merges,
 * differences and comments go by key. Equal nodes are matched first; between them, nodes of one type that share words
 * are taken for edits of each other. What is new keeps its key, or gets another where that one is taken.
 */
export function alignKeys(previous: JSONDocument, next: JSONDocument, nextKey?: NextKey): JSONDocument {
  const document = structuredClone(next);
  const keptNodes = alignLists(previous.nodes, document.nodes);
  document.nodes = keptNodes as JSONDocument['nodes']; // each is a block of the same type as before
  assignKeys(document, nextKey);
  return document;
}

/** The new list, with nodes of the old one in the place of equal ones, and its keys on edited ones. */
function alignLists(before: readonly AnyNode[], after: readonly AnyNode[]): AnyNode[] {
  const equal = equalPairs(before, after);
  const moved = movedPairs(before, after, equal);
  const aligned = [...after];
  for (const [old, now] of [...equal, ...moved]) {
    const same = before[old];
    if (same) aligned[now] = structuredClone(same);
  }
  const taken = { before: new Set(moved.map(([old]) => old)), after: new Set(moved.map(([, now]) => now)) };
  let [from, place] = [0, 0];
  // A sentinel ends the last gap.
  for (const [old, now] of [...equal, [before.length, after.length] as const]) {
    const olds = placesBetween(from, old, taken.before);
    const news = placesBetween(place, now, taken.after);
    for (const [oldPlace, newPlace] of editedPairs(before, olds, after, news)) {
      const [was, is] = [before[oldPlace], after[newPlace]];
      if (was && is) aligned[newPlace] = withKeysOf(was, is);
    }
    [from, place] = [old + 1, now + 1];
  }
  return aligned;
}

function placesBetween(from: number, to: number, taken: ReadonlySet<number>): number[] {
  const places: number[] = [];
  for (let place = from; place < to; place++) if (!taken.has(place)) places.push(place);
  return places;
}

/** Places of equal nodes that stand in another order, each old one at most once. */
function movedPairs(before: readonly AnyNode[], after: readonly AnyNode[], settled: readonly Pair[]): Pair[] {
  const [olds, news] = [new Set(settled.map(([old]) => old)), new Set(settled.map(([, now]) => now))];
  const open = new Map<string, number[]>();
  before.forEach((node, place) => {
    if (!olds.has(place)) open.set(contentOf(node), [...(open.get(contentOf(node)) ?? []), place]);
  });
  if (open.size === 0) return [];
  return after.flatMap((node, place): Pair[] => {
    const old = news.has(place) ? undefined : open.get(contentOf(node))?.shift();
    return old === undefined ? [] : [[old, place]];
  });
}

/** A place in the old list and one in the new. */
type Pair = readonly [number, number];

/** Places of equal nodes, in an order that both lists have: from both ends inwards, and what occurs once between them. */
function equalPairs(before: readonly AnyNode[], after: readonly AnyNode[]): Pair[] {
  const [old, now] = [before.map(contentOf), after.map(contentOf)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const pairs: Pair[] = Array.from({ length: start }, (_, index) => [index, index] as const);
  const once = placesOfUnique(now, start, now.length - end);
  const oldOnce = placesOfUnique(old, start, old.length - end);
  const common = [...oldOnce].flatMap(([content, place]) => {
    const other = once.get(content);
    return other === undefined ? [] : [[place, other] as const];
  });
  const inOrder = longestIncreasing(common.map(([, other]) => other));
  pairs.push(...common.filter(([, other]) => inOrder.has(other)));
  for (let index = end; index > 0; index--) pairs.push([old.length - index, now.length - index] as const);
  return pairs;
}

function placesOfUnique(contents: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let place = from; place < to; place++) {
    const content = contents[place] ?? '';
    if (places.has(content)) repeated.add(content);
    places.set(content, place);
  }
  for (const content of repeated) places.delete(content);
  return places;
}

const contentOf = (node: AnyNode): string => canonicalJson(withoutKeys(node));

/** Beyond this many comparisons in one gap, edits are told by their order alone. */
const MAX_COMPARISONS = 10_000;
const ALIKE = 0.3;

/** Places, out of those given, of nodes that are edits of each other: alike in type and words, or alone of their type. */
function editedPairs(before: readonly AnyNode[], olds: number[], after: readonly AnyNode[], news: number[]): Pair[] {
  const pairs: Pair[] = [];
  const isSmall = olds.length * news.length <= MAX_COMPARISONS;
  let open = news;
  for (const oldPlace of olds) {
    const old = before[oldPlace];
    const candidates = old ? open.filter((place) => isSameKind(old, after[place])) : [];
    const found = old && (isSmall ? mostAlike(old, after, candidates) : candidates[0]);
    if (found === undefined) continue;
    pairs.push([oldPlace, found]);
    open = open.filter((place) => place > found);
  }
  return pairs;
}

/** The candidate that is most alike; the only one counts as alike. */
function mostAlike(old: AnyNode, after: readonly AnyNode[], candidates: readonly number[]): number | undefined {
  if (candidates.length === 1) return candidates[0];
  const words = wordsOf(old);
  let best: { place: number | undefined; likeness: number } = { place: undefined, likeness: ALIKE };
  for (const place of candidates) {
    const node = after[place];
    const likeness = node ? likenessOf(words, wordsOf(node)) : 0;
    if (likeness > best.likeness) best = { place, likeness };
  }
  return best.place;
}

const typeOf = (node: AnyNode): string => ('type' in node ? `${node.object}:${node.type ?? ''}` : node.object);

const isSameKind = (a: AnyNode, b: AnyNode | undefined): boolean => b !== undefined && typeOf(a) === typeOf(b);

const wordsOf = (node: AnyNode): Set<string> =>
  new Set(
    textOf(node)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );

/** The share of words that two nodes have in common (Dice's coefficient), 0 to 1. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return (2 * common) / (a.size + b.size);
}

/** An edited node with the keys of what it was, all the way down. */
function withKeysOf(was: AnyNode, is: AnyNode): AnyNode {
  const node = isTable(was) && isTable(is) ? withIdsOf(was, is) : structuredClone(is);
  if (was.key !== undefined) node.key = was.key;
  const lists = node as { nodes?: AnyNode[]; fragments?: AnyNode[] }; // every node has one, the other, or neither
  const old = was as { nodes?: AnyNode[]; fragments?: AnyNode[] }; // and so has what it was
  if (lists.nodes && old.nodes) lists.nodes = alignLists(old.nodes, lists.nodes);
  if (lists.fragments && old.fragments && !isTable(is)) lists.fragments = alignLists(old.fragments, lists.fragments);
  return node;
}

const isTable = (node: AnyNode): node is BlockOf<'table'> => node.object === 'block' && node.type === 'table';

/** A table with the ids of columns and records that stood in the same places; its cells keep the names they have. */
function withIdsOf(was: BlockOf<'table'>, is: BlockOf<'table'>): BlockOf<'table'> {
  const columns = new Map(columnsOf(is).map(({ id }, index) => [id, columnsOf(was)[index]?.id ?? id]));
  const oldRecords = recordsOf(was);
  const records = new Map(recordsOf(is).map(([id], index) => [id, oldRecords[index]?.[0] ?? id]));
  const isUsable = isOneToOne(columns) && isOneToOne(records);
  if (!isUsable) return structuredClone(is);
  const nameIn = (names: ReadonlyMap<string, string>) => (id: string) => names.get(id) ?? id;
  return renameTable(is, {
    column: nameIn(columns),
    record: nameIn(records),
    cell: (_record, _column, fragment) => fragment,
    orderIndex: (_record, orderIndex) => orderIndex,
  });
}

const isOneToOne = (names: ReadonlyMap<string, string>): boolean => new Set(names.values()).size === names.size;
