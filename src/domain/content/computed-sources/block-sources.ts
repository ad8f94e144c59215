import type { Block, JSONDocument } from '../../../lib/document/document.ts';
import { mapBlocks } from '../../../lib/document/map-children.ts';
import { walk } from '../../../lib/document/walk.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { SourceSection } from './computed-sources.ts';

/** A source of content that blocks show in place. Higher modules provide them (`registerBlockSource`). */
export interface BlockSource {
  /** Types of its blocks. */
  types: readonly Block['type'][];
  /**
   * The content that a block shows, as blocks whose keys begin with the key of the block. Undefined if it shows
   * nothing. Does not check access. Batched.
   */
  blocks(ctx: Context, organizationId: string, block: Block): Promise<Block[] | undefined>;
  /** The searchable content that a block shows. Undefined if it shows nothing. Does not check access. Batched. */
  section(ctx: Context, organizationId: string, block: Block): Promise<SourceSection | undefined>;
}

const sources = new Map<string, BlockSource>();

/** Adds a source of blocks. */
export const registerBlockSource = (source: BlockSource): void => {
  for (const type of source.types) sources.set(type, source);
};

/** Blocks of one document that are replaced. The others stay. */
const MAX_BLOCKS = 300;

/** The searchable content that the blocks of a document show. */
export async function sectionsOfBlocks(
  ctx: Context,
  organizationId: string,
  document: JSONDocument,
): Promise<SourceSection[]> {
  const blocks = blocksIn(document);
  const sections = await Promise.all(blocks.map(({ block, source }) => source.section(ctx, organizationId, block)));
  return sections.filter((section) => section !== undefined);
}

/** Replaces the blocks of a document that show content of a source by that content. */
export async function showSources(ctx: Context, organizationId: string, document: JSONDocument): Promise<JSONDocument> {
  const blocks = blocksIn(document);
  if (blocks.length === 0) return document;
  const replacements = await Promise.all(blocks.map(({ block, source }) => source.blocks(ctx, organizationId, block)));
  const contents = new Map(blocks.map(({ block }, index) => [block, replacements[index]]));
  return mapBlocks(document, (block) => contents.get(block));
}

function blocksIn(document: JSONDocument): { block: Block; source: BlockSource }[] {
  const blocks: { block: Block; source: BlockSource }[] = [];
  walk(document, (node) => {
    const source = node.object === 'block' ? sources.get(node.type) : undefined;
    if (source && node.object === 'block' && blocks.length < MAX_BLOCKS) blocks.push({ block: node, source });
  });
  return blocks;
}
