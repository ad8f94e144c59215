import { z } from 'zod';
import { namedShape, objectIs } from '../../../platform/shapes.ts';

const node = z
  .looseObject({
    object: z.enum(['block', 'inline', 'text', 'fragment']).describe('What kind of node it is.'),
    type: z.string().optional().describe('Of a block or inline: `paragraph`, `heading-1`, `link` and so on.'),
    key: z.string().optional().describe('Names the node in its document.'),
  })
  .meta({ id: 'DocumentNode', description: 'A node of a document; which members it has depends on its type.' });

export const documentShape = namedShape('Document', 'A body of rich text as a tree.', {
  object: objectIs('document'),
  data: z
    .looseObject({ schemaVersion: z.int().describe('The version of the shapes of nodes.') })
    .describe('What concerns the whole document.'),
  nodes: z.array(node).describe('Its blocks, in order.'),
});
