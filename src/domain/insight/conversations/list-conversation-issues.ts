import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { ISSUE_COLUMNS, type IssueRow, readsConversations } from './access.ts';

const columns = sql.join(ISSUE_COLUMNS.map((column) => sql.ref(`i.${column}`)));

const newestFirst: OrderPart<IssueRow>[] = [
  { by: sql`i.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
  { by: sql`i.id`, key: 'id', direction: 'desc', type: 'text' },
];

interface Filters {
  cluster: string | null;
  conversation: string | null;
}

export const issuesOfOrganization = listing<Filters, IssueRow>({
  name: 'organization.conversationIssues',
  select: columns,
  from: (organizationId, { cluster, conversation }) => sql`
    from conversation_issue i where i.organization_id = ${organizationId}
      ${cluster === null ? sql`` : sql`and i.cluster_id = ${cluster}`}
      ${conversation === null ? sql`` : sql`and i.conversation_id = ${conversation}`}`,
  order: () => newestFirst,
});

/** Issues of a cluster. Does not check access. */
export const issuesOfCluster = listing<object, IssueRow>({
  name: 'issuesCluster.issues',
  select: columns,
  from: (clusterId) => sql`from conversation_issue i where i.cluster_id = ${clusterId}`,
  order: () => newestFirst,
});

/** Issues of a conversation. Does not check access. */
export const issuesOfConversation = listing<object, IssueRow>({
  name: 'conversation.issues',
  select: columns,
  from: (conversationId) => sql`from conversation_issue i where i.conversation_id = ${conversationId}`,
  order: () => newestFirst,
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
  authorize: (ctx, { organizationId = '' }) => readsConversations(ctx, organizationId),
  async run(ctx, { organizationId, cluster = null, conversation = null }) {
    await readsConversations(ctx, organizationId);
    return issuesOfOrganization(ctx, organizationId, { cluster, conversation });
  },
});
