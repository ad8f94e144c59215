import { canonicalJson } from '../canonical.ts';
import { textNode } from '../document/build.ts';
import type { Block, BlockOf, Fragment, JSONDocument, Leaf, Phrasing, Text } from '../document/document.ts';
import { documentOf } from '../document/empty.ts';
import { assignKeys, freshKeys, withoutKeys } from '../document/keys.ts';
import { blockRules } from '../document/node-rules.ts';
import type { Yielder } from '../tick.ts';
import { linesOfCode, paintBlock, paintedCode, paintLine } from './paint.ts';
import { blockIdentity, isSameBlock, mergeNames } from './pair-blocks.ts';
import { diffSequences, splitWords, type WordChange } from './word-diff.ts';

/**
 * Marks the changes in the later body: additions are green; deletions are red and struck through, at their earlier
 * place. The comparison goes down to words, list items and table cells. Null is an empty body.
 */
export async function markChanges(
  before: JSONDocument | null,
  after: JSONDocument | null,
  pause: Yielder,
): Promise<JSONDocument> {
  const [old, now] = [byKey(before?.nodes ?? []), byKey(after?.nodes ?? [])];
  const nodes: Block[] = [];
  for (const key of mergeNames([...old.keys()], [...now.keys()])) {
    nodes.push(...markBlock(old.get(key), now.get(key)));
    await pause();
  }
  const document = structuredClone(documentOf(nodes));
  assignKeys(document, freshKeys(nodes.map(({ key }) => key).join()));
  return document;
}

const byKey = <T extends Block>(blocks: readonly T[]) => new Map(blocks.map((each) => [blockIdentity(each), each]));

function markBlocks(before: readonly Block[], after: readonly Block[]): Block[] {
  const [old, now] = [byKey(before), byKey(after)];
  return mergeNames([...old.keys()], [...now.keys()]).flatMap((key) => markBlock(old.get(key), now.get(key)));
}

function markBlock(before: Block | undefined, after: Block | undefined): Block[] {
  if (!after) return before ? [paintBlock(before, 'deleted')] : [];
  if (!before) return [paintBlock(after, 'added')];
  if (isSameBlock(before, after)) return [after];
  return [markInside(before, after) ?? [paintBlock(before, 'deleted'), paintBlock(after, 'added')]].flat();
}

/**
 * The block with its inner changes marked; undefined if the two versions can only be shown one after the other, such as
 * those of a task that differ in nothing but whether it is done.
 */
function markInside(before: Block, after: Block): Block | undefined {
  if (before.type === 'code' && after.type === 'code') {
    const runs = diffSequences(linesOfCode(before), linesOfCode(after), (line) => line);
    if (!runs.some(isChange)) return undefined;
    return paintedCode(
      after,
      runs.map(({ change, items }) => ({ change, lines: items })),
    );
  }
  const { children } = blockRules[after.type];
  if (children === 'phrasing' && blockRules[before.type].children === 'phrasing') {
    const line = markLine(nodesIn(before), nodesIn(after));
    return line && withNodes(after, line);
  }
  if (before.type !== after.type || after.type === 'images') return undefined;
  if (after.type === 'table')
    return isSameGrid(before as BlockOf<'table'>, after) ? withCells(before, after) : undefined;
  if (after.type === 'expandable') return withCells(before, after);
  // Both blocks are of the same type, which contains blocks.
  if (typeof children === 'object') {
    const nodes = markBlocks(nodesIn(before) as Block[], nodesIn(after) as Block[]);
    return isUnmarked(nodes, nodesIn(after)) ? undefined : withNodes(after, nodes);
  }
  return undefined;
}

const isChange = ({ change }: { change: WordChange }) => change !== 'same';

/** Whether nodes are those of the later body, of which `markBlock` returns the ones that have not changed. */
const isUnmarked = (nodes: readonly unknown[], after: readonly unknown[]): boolean =>
  nodes.length === after.length && nodes.every((node, index) => node === after[index]);

const nodesIn = (block: Block): readonly (Block | Phrasing)[] => ('nodes' in block ? block.nodes : []);

const withNodes = (block: Block, nodes: (Block | Phrasing)[]): Block => ({ ...block, nodes }) as Block; // the types of nodes do not change

/**
 * Whether two tables differ in the text of cells only: they have the same records and columns, the same values of other
 * cells, and every text is where it was. Only text can show what changed in it.
 */
function isSameGrid({ data: before }: BlockOf<'table'>, { data: after }: BlockOf<'table'>): boolean {
  const shape = ({ records, definition, view }: typeof before) => {
    const others = Object.values(definition).flatMap(({ id, type }) => (type === 'text' ? [] : [id]));
    const cells = Object.entries(records).map(([id, { orderIndex, values }]) => [
      id,
      { orderIndex, values: others.map((column) => values[column] ?? null) },
    ]);
    return canonicalJson([Object.fromEntries(cells), definition, view]);
  };
  const texts = Object.values(before.definition).flatMap(({ id, type }) => (type === 'text' ? [id] : []));
  const isKept = Object.entries(before.records).every(([id, { values }]) =>
    texts.every((column) => values[column] == null || after.records[id]?.values[column] === values[column]),
  );
  return isKept && shape(before) === shape(after);
}

function withCells(before: Block, after: Block): Block | undefined {
  const old = new Map(fragmentsIn(before).map((fragment) => [nameOf(fragment), fragment]));
  const fragments = fragmentsIn(after).map((fragment) => {
    const was = old.get(nameOf(fragment));
    // A title is one line and cannot show two versions.
    if (nameOf(fragment) === 'expandable-title') return fragment;
    if (!was) return { ...fragment, nodes: fragment.nodes.map((block) => paintBlock(block, 'added')) };
    return { ...fragment, nodes: markBlocks(was.nodes, fragment.nodes) };
  });
  const isSame = fragments.every(({ nodes }, index) => isUnmarked(nodes, fragmentsIn(after)[index]?.nodes ?? []));
  return isSame ? undefined : ({ ...after, fragments } as Block); // it had fragments before
}

const fragmentsIn = (block: Block): readonly Fragment[] => ('fragments' in block ? block.fragments : []);

const nameOf = (fragment: Fragment): string => fragment.fragment ?? fragment.type ?? '';

/** Marks the words of a line. Inlines are compared as a whole. Undefined if the lines are equal. */
function markLine(before: readonly (Block | Phrasing)[], after: readonly (Block | Phrasing)[]): Phrasing[] | undefined {
  const runs = diffSequences(piecesOf(before), piecesOf(after), ({ name }) => name);
  if (!runs.some(isChange)) return undefined;
  return runs.flatMap(({ change, items }) => paintLine(joined(items.map(({ node }) => node)), change));
}

/** The pieces with adjacent texts joined. */
function joined(pieces: readonly Phrasing[]): Phrasing[] {
  const nodes: Phrasing[] = [];
  for (const piece of pieces) {
    const last = nodes.at(-1);
    if (piece.object === 'text' && last?.object === 'text') addLeaves(last, piece.leaves);
    else nodes.push(piece.object === 'text' ? { ...piece, leaves: piece.leaves.map((leaf) => ({ ...leaf })) } : piece);
  }
  return nodes;
}

function addLeaves({ leaves }: Text, more: readonly Leaf[]): void {
  for (const leaf of more) {
    const last = leaves.at(-1);
    if (last && JSON.stringify(last.marks) === JSON.stringify(leaf.marks)) last.text += leaf.text;
    else leaves.push({ ...leaf });
  }
}

/** A part of a line. Equal parts have the same name. */
interface Piece {
  name: string;
  node: Phrasing;
}

/** Lines with more leaves are not split into words. */
const MAX_SPLIT_LEAVES = 500;

function piecesOf(nodes: readonly (Block | Phrasing)[]): Piece[] {
  const leaves = nodes.reduce((sum, node) => sum + (node.object === 'text' ? node.leaves.length : 0), 0);
  const split = leaves > MAX_SPLIT_LEAVES ? (value: string) => [value] : splitWords;
  return nodes.flatMap((node): Piece[] => {
    if (node.object === 'block') return [];
    if (node.object === 'inline') return [{ name: canonicalJson(withoutKeys(node)), node }];
    return node.leaves.flatMap((leaf) => {
      const marks = JSON.stringify(leaf.marks);
      return split(leaf.text).map((word) => ({ name: `${marks} ${word}`, node: textNode(word, leaf.marks) }));
    });
  });
}
