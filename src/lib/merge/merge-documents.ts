import { canonicalJson } from '../canonical.ts';
import { alignKeys } from '../document/align-keys.ts';
import { assignAnchors } from '../document/anchors.ts';
import type { Block, JSONDocument } from '../document/document.ts';
import { documentOf, isEmptyDocument } from '../document/empty.ts';
import { assignKeys, withoutKeys } from '../document/keys.ts';
import type { Pause } from '../pause.ts';
import type { NewConflict, Resolution, Target } from './conflict.ts';
import { freshKeys } from './fresh-keys.ts';
import { mergeOrder } from './merge-order.ts';
import { mapThree, pickSide, type Three } from './three.ts';

/** Options of merging a body. */
export interface BodyMerge {
  target: Target;
  resolve(conflict: NewConflict): Resolution | undefined;
  pause: Pause;
}

/**
 * Merges three versions of a body by the keys of their top-level blocks. Null is an empty body. Different blocks never
 * conflict, and a block edited on one side and moved on the other keeps both changes. Does not change the input.
 */
export async function mergeDocuments(
  versions: Three<JSONDocument | null>,
  merge: BodyMerge,
): Promise<JSONDocument | null> {
  const blocks = await readBlocks(versions, merge.pause);
  const kept = new Map<string, Block[]>();
  for (const key of new Set([...blocks.theirs.keys(), ...blocks.ours.keys(), ...blocks.base.keys()])) {
    const merged = mergeBlock(
      key,
      mapThree(blocks, (side) => side.get(key)),
      merge,
    );
    if (merged.length > 0) kept.set(key, merged);
    await merge.pause();
  }
  const order = mergeOrder(
    mapThree(blocks, (side) => [...side.keys()]),
    new Set(kept.keys()),
  );
  const nodes = order.flatMap((key) => kept.get(key) ?? []);
  return nodes.length === 0 ? null : inOrder(nodes, versions, merge.pause);
}

/** A block with its JSON, since comparing that decides most cases. */
interface Part {
  block: Block;
  json: string;
}

type Parts = Map<string, Part>;

async function readBlocks(versions: Three<JSONDocument | null>, pause: Pause): Promise<Three<Parts>> {
  const read = async (document: JSONDocument | null): Promise<Parts> => {
    const parts: Parts = new Map();
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
  return { base, ours: apart(ours, { base, theirs }), theirs };
}

/** Gives our block a new key where both sides inserted different blocks with the same key. */
function apart(ours: Parts, { base, theirs }: { base: Parts; theirs: Parts }): Parts {
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

function mergeBlock(key: string, versions: Three<Part | undefined>, merge: BodyMerge): Block[] {
  const side = pickSide(versions, (a, b) => a?.json === b?.json) ?? pickSide(versions, isSamePart);
  const taken = (part: Part | undefined) => (part ? [part.block] : []);
  if (side) return taken(versions[side]);
  const resolution = merge.resolve({
    kind: versions.ours && versions.theirs ? 'block' : 'deleted-vs-edited',
    target: merge.target,
    block: key,
    ...mapThree(versions, (part) => (part ? { block: part.block } : null)),
  });
  if (resolution && 'document' in resolution) return replaced(versions, resolution.document);
  return taken(versions[resolution && 'choice' in resolution ? resolution.choice : 'theirs']);
}

/** Equal except for keys and anchors, which depend on the blocks around. */
function isSamePart(a: Part | undefined, b: Part | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.json === b.json) return true;
  if (a.block.type !== b.block.type) return false;
  return canonicalJson(withoutKeys(a.block)) === canonicalJson(withoutKeys(b.block));
}

function replaced({ ours, theirs }: Three<Part | undefined>, document: JSONDocument): Block[] {
  if (isEmptyDocument(document)) return [];
  const previous = documentOf([theirs ?? ours].flatMap((part) => part?.block ?? []));
  return alignKeys(previous, document, freshKeys(canonicalJson(document))).nodes;
}

/** Makes one document of the blocks, with unique keys and the anchors of its headings. */
async function inOrder(
  nodes: Block[],
  { ours, theirs }: Three<JSONDocument | null>,
  pause: Pause,
): Promise<JSONDocument> {
  const schemaVersion = Math.max(ours?.data.schemaVersion ?? 0, theirs?.data.schemaVersion ?? 0);
  const document: JSONDocument = { object: 'document', data: { schemaVersion }, nodes: [] };
  for (const node of nodes) {
    document.nodes.push(structuredClone(node));
    await pause();
  }
  assignKeys(document, freshKeys(nodes.map(({ key }) => key).join()));
  await pause();
  assignAnchors(document);
  return document;
}
