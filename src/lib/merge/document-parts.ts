import { canonicalJson } from '../canonical.ts';
import type { Block, JSONDocument } from '../document/document.ts';
import { freshKeys, withoutKeys } from '../document/keys.ts';
import type { Yielder } from '../tick.ts';
import type { ThreeWay } from './three-way.ts';

/** A top-level block with its JSON, since comparing that decides most cases. */
export interface Part {
  block: Block;
  json: string;
}

/** The blocks of a document by key, in their order. */
export type BlocksByKey = Map<string, Part>;

/** Options of matching the blocks of three versions. */
export interface BlockMatching {
  /**
   * Whether new blocks of both sides with the same key are versions of one block, which conflict if they differ. By
   * default, such blocks are two, and both are in the result.
   */
  matchesNewBlocks?: boolean;
}

/**
 * Reads the blocks of three versions. New blocks of the sides have the same key where they are the same block, and
 * different keys where they are not.
 */
export async function blocksByKey(
  versions: ThreeWay<JSONDocument | null>,
  pause: Yielder,
  { matchesNewBlocks = false }: BlockMatching = {},
): Promise<ThreeWay<BlocksByKey>> {
  const read = async (document: JSONDocument | null): Promise<BlocksByKey> => {
    const parts: BlocksByKey = new Map();
    for (const block of document?.nodes ?? []) {
      const json = JSON.stringify(block);
      parts.set(block.key ?? json, { block, json });
      await pause();
    }
    return parts;
  };
  const base = await read(versions.base);
  const ours = await read(versions.ours);
  const theirs = await read(versions.theirs);
  const alike = joined(ours, { base, theirs });
  return { base, ours: matchesNewBlocks ? alike : separated(alike, { base, theirs }), theirs };
}

/** Equal except for keys and anchors, which depend on the blocks around. */
export function isSamePart(a: Part | undefined, b: Part | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.json === b.json) return true;
  if (a.block.type !== b.block.type) return false;
  return canonicalJson(withoutKeys(a.block)) === canonicalJson(withoutKeys(b.block));
}

/**
 * Where both sides inserted the same blocks first or last after the same block, ours become theirs, so that they are not
 * duplicated. Such as the rest of a block that both sides have split to insert something.
 */
function joined(ours: BlocksByKey, { base, theirs }: { base: BlocksByKey; theirs: BlocksByKey }): BlocksByKey {
  const inserted = insertionsIn(theirs, base);
  const renamed = new Map<string, [string, Part]>();
  for (const [after, insertions] of insertionsIn(ours, base)) {
    const others = inserted.get(after) ?? [];
    const isSame = (i: number): boolean => {
      const [[key, part] = [], [name, other] = []] = [insertions.at(i), others.at(i)];
      return name !== undefined && (name === key || !ours.has(name)) && isSamePart(part, other);
    };
    const join = (i: number) => {
      const [[key] = [], other] = [insertions.at(i), others.at(i)];
      if (key !== undefined && other) renamed.set(key, other);
    };
    const most = Math.min(insertions.length, others.length);
    let first = 0;
    for (; first < most && isSame(first); first++) join(first);
    for (let last = 1; last <= most - first && isSame(-last); last++) join(-last);
  }
  return renamed.size === 0 ? ours : new Map([...ours].map((entry) => renamed.get(entry[0]) ?? entry));
}

/** New blocks by the key of the old block that they follow. */
function insertionsIn(side: BlocksByKey, base: BlocksByKey): Map<string, [string, Part][]> {
  const insertions = new Map<string, [string, Part][]>();
  let after = '';
  for (const [key, part] of side) {
    const list = insertions.get(after);
    if (base.has(key)) after = key;
    else if (list) list.push([key, part]);
    else insertions.set(after, [[key, part]]);
  }
  return insertions;
}

/** Gives our block a new key where both sides inserted different blocks with the same key. */
function separated(ours: BlocksByKey, { base, theirs }: { base: BlocksByKey; theirs: BlocksByKey }): BlocksByKey {
  const isClash = (key: string, part: Part) => !base.has(key) && theirs.has(key) && !isSamePart(part, theirs.get(key));
  return new Map(
    [...ours].map(([key, part]) => {
      if (!isClash(key, part)) return [key, part];
      const next = freshKeys(part.json);
      let other = next();
      while (ours.has(other) || theirs.has(other) || base.has(other)) other = next();
      return [other, { ...part, block: { ...part.block, key: other } }];
    }),
  );
}
