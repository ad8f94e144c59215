import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { assertReadsConversations, ISSUE_COLUMNS, type IssueRow } from './access.ts';

const columns = sql.join(ISSUE_COLUMNS.map((column) => sql.ref(`i.${column}`)));

interface Filters {
  cluster: string | null;
  conversation: string | null;
}

const issuesOfOrganization = listing<Filters, IssueRow>({
  name: 'organization.conversationIssues',
  from: 'conversation_issue as i',
  select: columns,
  parent: 'organizationId',
  where: ({ cluster, conversation }) => [
    cluster !== null && sql`i.cluster_id = ${cluster}`,
    conversation !== null && sql`i.conversation_id = ${conversation}`,
  ],
  order: newestFirst,
});

/** Issues of a cluster. Does not check access. */
export const issuesOfCluster = listing<object, IssueRow>({
  name: 'issuesCluster.issues',
  from: 'conversation_issue as i',
  select: columns,
  parent: 'clusterId',
  order: newestFirst,
});

/** Issues of a conversation. Does not check access. */
export const issuesOfConversation = listing<object, IssueRow>({
  name: 'conversation.issues',
  from: 'conversation_issue as i',
  select: columns,
  parent: 'conversationId',
  order: newestFirst,
});

export const listConversationIssues = query({
  name: 'listConversationIssues',
  description:
    'Lists the issues of an organization, newest first. An issue is the question of a conversation. Not for guests.',
  input: z.object({
    organizationId: idOf('org'),
    cluster: idOf('cluster').nullish().describe('Only issues of this cluster.'),
    conversation: idOf('conversation').nullish().describe('Only issues of this conversation.'),
  }),
  authorize: (ctx, { organizationId = '' }) => assertReadsConversations(ctx, organizationId),
  async run(ctx, { organizationId, cluster = null, conversation = null }) {
    await assertReadsConversations(ctx, organizationId);
    return issuesOfOrganization(ctx, organizationId, { cluster, conversation });
  },
});
