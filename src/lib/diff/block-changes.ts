import type { Block, JSONDocument } from '../document/document.ts';
import { blockRules } from '../document/node-rules.ts';
import { textOf } from '../document/plain-text.ts';
import type { Yielder } from '../tick.ts';
import { longestIncreasing } from '../tree/longest-increasing.ts';
import { blockIdentity, isSameBlock, mergeNames } from './pair-blocks.ts';
import { type DiffSpan, diffWords } from './word-diff.ts';

/** A change of a top-level block. */
export interface BlockChange {
  kind: 'added' | 'edited' | 'moved' | 'deleted';
  key: string;
  before: Block | null;
  after: Block | null;
  /** The word diff of an edited block with a line of text. */
  words: DiffSpan[] | null;
}

/**
 * Compares two bodies by the keys of their blocks. Changes are in the order of the later body; deleted blocks keep
 * their place. Null is an empty body. A block that was edited and moved counts as edited.
 */
export async function diffDocuments(
  before: JSONDocument | null,
  after: JSONDocument | null,
  pause: Yielder,
): Promise<BlockChange[]> {
  const [old, now] = [blocksIn(before), blocksIn(after)];
  const moved = movedIn([...old.keys()], [...now.keys()]);
  const changes: BlockChange[] = [];
  for (const key of mergeNames([...old.keys()], [...now.keys()])) {
    const change = changeOf(key, old.get(key) ?? null, now.get(key) ?? null, moved.has(key));
    if (change) changes.push(change);
    await pause();
  }
  return changes;
}

const blocksIn = (document: JSONDocument | null) =>
  new Map((document?.nodes ?? []).map((block) => [blockIdentity(block), block]));

/** The smallest set of keys whose moves explain the new order. */
function movedIn(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((key, place) => [key, place]));
  const common = after.filter((key) => places.has(key));
  const stayed = longestIncreasing(common.map((key) => places.get(key) ?? -1));
  return new Set(common.filter((key) => !stayed.has(places.get(key) ?? -1)));
}

function changeOf(key: string, before: Block | null, after: Block | null, isMoved: boolean): BlockChange | undefined {
  const change = { key, before, after, words: null };
  if (before === null) return { ...change, kind: 'added' };
  if (after === null) return { ...change, kind: 'deleted' };
  if (isSameBlock(before, after)) return isMoved ? { ...change, kind: 'moved' } : undefined;
  const isLine = [before, after].every(({ type }) => blockRules[type].children === 'phrasing');
  return { ...change, kind: 'edited', words: isLine ? diffWords(textOf(before), textOf(after)) : null };
}
