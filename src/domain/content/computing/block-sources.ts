import type { Block, JSONDocument } from '../../../lib/document/document.ts';
import { mapBlocks } from '../../../lib/document/evaluate-document.ts';
import { walk } from '../../../lib/document/walk.ts';
import type { Context } from '../../../platform/context.ts';

/** A source of content that blocks show in place. Higher modules provide them (`registerBlockSource`). */
export interface BlockSource {
  /** Types of its blocks. */
  types: readonly Block['type'][];
  /**
   * What a block shows, as other blocks with keys that begin with that of the block. Undefined if there is nothing to
   * show. Does not check access. Batched.
   */
  blocks(ctx: Context, organizationId: string, block: Block): Promise<Block[] | undefined>;
}

const sources = new Map<string, BlockSource>();

/** Adds a source of blocks. */
export const registerBlockSource = (source: BlockSource): void => {
  for (const type of source.types) sources.set(type, source);
};

/** Blocks of one document that are replaced. The others stay. */
const MAX_BLOCKS = 300;

/** Replaces the blocks of a document that show content of a source by that content. */
export async function showSources(ctx: Context, organizationId: string, document: JSONDocument): Promise<JSONDocument> {
  const found: { block: Block; source: BlockSource }[] = [];
  walk(document, (node) => {
    const source = node.object === 'block' ? sources.get(node.type) : undefined;
    if (source && node.object === 'block' && found.length < MAX_BLOCKS) found.push({ block: node, source });
  });
  if (found.length === 0) return document;
  const shown = await Promise.all(found.map(({ block, source }) => source.blocks(ctx, organizationId, block)));
  const contents = new Map(found.map(({ block }, index) => [block, shown[index]]));
  return mapBlocks(document, (block) => contents.get(block));
}
