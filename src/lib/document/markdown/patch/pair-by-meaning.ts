import type { AnyNode, Block } from '../../document.ts';
import { pairSequences } from '../../pair-sequences.ts';
import { textOf } from '../../plain-text.ts';
import { distinctWords, sharedWords } from '../../shared-words.ts';
import type { Meaning } from './meaning.ts';

/** A block with its meaning. */
export interface Meant {
  block: Block;
  meaning: Meaning;
}

/**
 * For each block the index of its partner in the previous ones, or -1. Blocks with equal meaning are paired first, then
 * blocks that only differ in the targets of links, then the most similar ones of the same type between such pairs.
 */
export function pairByMeaning(previous: readonly Meant[], next: readonly Meant[]): number[] {
  const wordSets = new WeakMap<AnyNode, ReadonlySet<string>>();
  const words = (node: AnyNode): ReadonlySet<string> => {
    const wordSet = wordSets.get(node) ?? distinctWords(textOf(node));
    wordSets.set(node, wordSet);
    return wordSet;
  };
  return pairSequences(previous, next, {
    identity: ({ meaning }) => meaning.identity,
    score(a, b) {
      if (a.meaning.besidesLinks === b.meaning.besidesLinks) return 2;
      return a.block.type === b.block.type ? 0.25 + sharedWords(words(a.block), words(b.block)) : 0;
    },
  });
}
