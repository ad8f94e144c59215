import { z } from 'zod';
import { listTool } from '../tool.ts';
import { appUrls, organizationIdInput } from './names.ts';

export const listQuestionClustersTool = listTool({
  name: 'listQuestionClusters',
  description:
    "Lists clusters of similar questions from conversations with an organization's readers, the most frequent first: what the documentation does not answer well. Name a cluster in createChangeRequest to close it with the merge.",
  input: { organizationId: organizationIdInput },
  item: z.object({
    id: z.string(),
    label: z.string(),
    summary: z.string().describe('The most typical question, or a summary.'),
    stats: z.object({ issues: z.number(), conversations: z.number() }),
    closedAt: z.string().optional(),
    urls: appUrls,
  }),
  list: ({ organizationId }) => [
    'listConversationsIssuesClusters',
    { params: { organizationId }, query: { orderBy: 'issues', order: 'desc' } },
  ],
});
