import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { issueFor } from './access.ts';

const needed = permissions.getConversationIssue.organization;

export const getConversationIssue = query({
  name: 'getConversationIssue',
  description: 'Gets an issue: the question of a conversation. Not for guests of its organization.',
  input: z.object({
    issueId: idOf('issue'),
    organizationId: idOf('org').nullish().describe('ID of the organization that the issue must belong to.'),
  }),
  run: (ctx, { issueId, organizationId }) => issueFor(ctx, { id: issueId, organizationId }, needed),
});
