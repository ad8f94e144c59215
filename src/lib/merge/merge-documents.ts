import { canonicalJson } from '../canonical.ts';
import { alignKeys } from '../document/align-keys.ts';
import { assignAnchors } from '../document/anchors.ts';
import type { Block, JSONDocument } from '../document/document.ts';
import { documentOf, isEmptyDocument } from '../document/empty.ts';
import { assignKeys, freshKeys } from '../document/keys.ts';
import type { Yielder } from '../tick.ts';
import type { ConflictTarget, NewConflict, Resolution } from './conflict.ts';
import { type BlockMatching, type BlocksByKey, blocksByKey, isSamePart, type Part } from './document-parts.ts';
import { mergeOrder } from './merge-order.ts';
import type { MergedTexts } from './texts/merge-texts.ts';
import { mapThreeWay, pickSide, type ThreeWay } from './three-way.ts';

/** Three versions of a body, block by block. */
export interface ComparedDocuments {
  versions: ThreeWay<JSONDocument | null>;
  parts: ThreeWay<BlocksByKey>;
  /** The blocks that are in the result as a side has them. */
  decidedBlocks: Map<string, Block>;
  /**
   * The keys of blocks that both sides changed or deleted. So are those that they changed alike, because each may have
   * split such a block, or joined it to another one.
   */
  contested: string[];
}

/** Options of merging a body. */
export interface BodyMerge {
  target: ConflictTarget;
  resolve(conflict: NewConflict): Resolution | undefined;
  pause: Yielder;
}

/** Compares three versions of a body by the keys of their top-level blocks. Null is an empty body. */
export async function compareDocuments(
  versions: ThreeWay<JSONDocument | null>,
  pause: Yielder,
  matching?: BlockMatching,
): Promise<ComparedDocuments> {
  const parts = await blocksByKey(versions, pause, matching);
  const decidedBlocks = new Map<string, Block>();
  const contested: string[] = [];
  for (const key of new Set([...parts.theirs.keys(), ...parts.ours.keys(), ...parts.base.keys()])) {
    const three = mapThreeWay(parts, (side) => side.get(key));
    const side = pickSide(three, (a, b) => a?.json === b?.json) ?? pickSide(three, isSamePart);
    const block = side && three[side]?.block;
    if (block) decidedBlocks.set(key, block);
    if (!side || isChangedAlike(three)) contested.push(key);
    await pause();
  }
  return { versions, parts, decidedBlocks, contested };
}

const isChangedAlike = ({ base, ours, theirs }: ThreeWay<Part | undefined>): boolean =>
  base !== undefined && !isSamePart(base, ours) && !isSamePart(base, theirs);

/**
 * Merges compared versions. Different blocks never conflict, and a block edited on one side and moved on the other
 * keeps both changes. Contested blocks are as their texts were merged, or conflicts. Does not change the input.
 */
export async function mergeDocuments(
  { versions, parts, decidedBlocks, contested }: ComparedDocuments,
  texts: MergedTexts,
  merge: BodyMerge,
): Promise<JSONDocument | null> {
  if ('document' in texts) return inOrder(texts.document.nodes, versions, merge.pause);
  const merged = new Map<string, Block[]>([...decidedBlocks].map(([key, block]) => [key, [block]]));
  const byText = new Map(texts.blocks);
  for (const key of contested) {
    const three = mapThreeWay(parts, (side) => side.get(key));
    const blocks = byText.get(key) ?? merged.get(key) ?? settledBlock(key, three, merge);
    if (blocks.length > 0) merged.set(key, blocks);
  }
  const order = mergeOrder(
    mapThreeWay(parts, (side) => [...side.keys()]),
    new Set(merged.keys()),
  );
  const nodes = order.flatMap((key) => merged.get(key) ?? []);
  return nodes.length === 0 ? null : inOrder(nodes, versions, merge.pause);
}

/** A block that cannot be merged, as the resolution of its conflict has it. */
function settledBlock(key: string, versions: ThreeWay<Part | undefined>, merge: BodyMerge): Block[] {
  if (!versions.ours && !versions.theirs) return [];
  const resolution = merge.resolve({
    kind: versions.ours && versions.theirs ? 'block' : 'deleted-vs-edited',
    target: merge.target,
    block: key,
    ...mapThreeWay(versions, (part) => (part ? { block: part.block } : null)),
  });
  if (resolution && 'document' in resolution) return replaced(versions, resolution.document);
  const chosen = versions[resolution && 'choice' in resolution ? resolution.choice : 'theirs'];
  return chosen ? [chosen.block] : [];
}

function replaced({ ours, theirs }: ThreeWay<Part | undefined>, document: JSONDocument): Block[] {
  if (isEmptyDocument(document)) return [];
  const previous = documentOf([theirs ?? ours].flatMap((part) => part?.block ?? []));
  return alignKeys(previous, document, freshKeys(canonicalJson(document))).nodes;
}

/** Makes one document of the blocks, with unique keys and the anchors of its headings. */
async function inOrder(
  nodes: Block[],
  { ours, theirs }: ThreeWay<JSONDocument | null>,
  pause: Yielder,
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
