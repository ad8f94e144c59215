import { z } from 'zod';
import { namedShape, resourceTypeShape } from '../../../platform/shapes/shapes.ts';

const node = z
  .looseObject({
    object: z.enum(['block', 'inline', 'text', 'fragment']).describe('Kind of the node.'),
    type: z.string().optional().describe('Type of a block or inline, such as `paragraph`, `heading-1` or `link`.'),
    key: z.string().optional().describe('Key of the node, unique within its document.'),
  })
  .meta({ id: 'DocumentNode', description: 'A node of a document. Its properties depend on its type.' });

export const documentShape = namedShape('Document', 'A rich text document, as a tree of nodes.', {
  object: resourceTypeShape('document'),
  data: z
    .looseObject({
      schemaVersion: z.int().describe('Version of the node schemas.'),
      beyond: z
        .array(
          z.object({
            key: z.string().describe('Key of the block.'),
            type: z.string().describe('Type of the block, such as `tabs` or `unknown`.'),
            parent: z.string().nullable().describe('Type of the block that contains it; null at the top level.'),
          }),
        )
        .optional()
        .describe(
          'Blocks of the body that these schemas do not allow at their place. They are shown in a simpler form, or after the block that contains them. Markdown and the graph have them as they are.',
        ),
    })
    .describe('Data about the document as a whole.'),
  nodes: z.array(node).describe('Blocks of the document, in order.'),
});
