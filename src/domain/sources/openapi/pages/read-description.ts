import type { AnyNode, Block, BlockType } from '../../../../lib/document/document.ts';
import { mapChildren } from '../../../../lib/document/map-children.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { ApiError } from '../../../../platform/errors/errors.ts';
import { readBody } from '../../../store/bodies/index.ts';

/**
 * Blocks that show other content of the organization, or depend on the reader. Whoever writes a specification may have
 * no access to that content, and readers of the specification neither.
 */
const LEFT_OUT: ReadonlySet<BlockType> = new Set([
  'openapi-operation',
  'openapi-webhook',
  'openapi-schemas',
  'reusable-content',
  'if',
]);

/** The blocks of Markdown from a specification. Undefined if it is empty or cannot be read as a body. */
export async function readDescription(
  ctx: Context,
  organizationId: string,
  markdown: string,
): Promise<Block[] | undefined> {
  if (markdown.trim() === '') return undefined;
  try {
    const read = await readBody(ctx, organizationId, { markdown }, ['description']);
    return read?.body.nodes.flatMap(described);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_USER_INPUT') return undefined;
    throw error;
  }
}

function described<Node extends AnyNode>(node: Node): Node[] {
  if (node.object === 'block' && LEFT_OUT.has(node.type)) return [];
  return [mapChildren(node, described)];
}
