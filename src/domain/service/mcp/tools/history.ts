import { z } from 'zod';
import { listTool } from '../tool.ts';
import { spaceIdInput, userShape } from './names.ts';

export const listRevisionsTool = listTool({
  name: 'listRevisions',
  description: 'Lists the history of a space, newest first, with the number of pages that each revision changed.',
  input: { spaceId: spaceIdInput },
  item: z.object({
    id: z.string(),
    type: z.string(),
    createdAt: z.string(),
    createdBy: userShape.optional(),
    summary: z.object({ pages: z.record(z.string(), z.number()) }).optional(),
  }),
  list: ({ spaceId }) => ['listRevisionsInSpace', { params: { spaceId } }],
});
