import { z } from 'zod';
import { namedShape, objectIs } from '../../../platform/shapes.ts';

const node = z
  .looseObject({
    object: z.enum(['block', 'inline', 'text', 'fragment']).describe('Kind of the node.'),
    type: z.string().optional().describe('Type of a block or inline, such as `paragraph`, `heading-1` or `link`.'),
    key: z.string().optional().describe('Key of the node, unique within its document.'),
  })
  .meta({ id: 'DocumentNode', description: 'A node of a document. Its properties depend on its type.' });

export const documentShape = namedShape('Document', 'A rich text document, as a tree of nodes.', {
  object: objectIs('document'),
  data: z
    .looseObject({ schemaVersion: z.int().describe('Version of the node schemas.') })
    .describe('Data about the document as a whole.'),
  nodes: z.array(node).describe('Blocks of the document, in order.'),
});
