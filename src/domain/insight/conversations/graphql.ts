import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { PageNodeType } from '../../content/pages/graphql.ts';
import { currentPage } from '../../content/pages/index.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { assertReadsConversations, loadCluster, loadConversation, loadIssue } from './access.ts';
import { deleteConversation } from './delete-conversation.ts';
import { getConversation } from './get-conversation.ts';
import { getConversationIssue } from './get-conversation-issue.ts';
import { getIssuesCluster } from './get-issues-cluster.ts';
import { getIssuesGrouping, loadGrouping } from './get-issues-grouping.ts';
import { issuesGrouping } from './grouping-resources.ts';
import { ingestConversations } from './ingest-conversations.ts';
import { changeRequestsOfCluster, listClusterChangeRequests } from './list-cluster-change-requests.ts';
import { listClusterPages, pagesOfCluster } from './list-cluster-pages.ts';
import { issuesOfCluster, issuesOfConversation, listConversationIssues } from './list-conversation-issues.ts';
import { listConversations } from './list-conversations.ts';
import { listIssuesClusters } from './list-issues-clusters.ts';
import { purgeConversations } from './purge-conversations.ts';
import { clusterPage, conversation, conversationIssue, issuesCluster } from './resources.ts';

const ConversationType = typeOf(conversation);
const IssueType = typeOf(conversationIssue);
const ClusterType = typeOf(issuesCluster);
const PageType = typeOf(clusterPage);
const GroupingType = typeOf(issuesGrouping);

builder.objectFields(PageType, (t) => ({
  page: t.field({
    type: PageNodeType,
    nullable: true,
    description: 'The page in the current content of its space. Null if the page no longer exists.',
    resolve: ({ spaceId, pageId }, _args, ctx) => currentPage(ctx, spaceId, pageId),
  }),
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space of the page. Null if the space no longer exists.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
}));

registerNode(ConversationType, 'conversation', loadConversation);
registerNode(IssueType, 'issue', loadIssue);
registerNode(ClusterType, 'cluster', loadCluster);

builder.objectFields(ConversationType, (t) => ({
  issues: connection(t, {
    type: IssueType,
    operation: listConversationIssues,
    description: 'Lists the issues of the conversation: one, or none until it is processed.',
    without: ['organizationId', 'cluster', 'conversation'],
    from: ({ id, organizationId }) => ({ organizationId, conversation: id }),
    list: ({ id }, _input, ctx) => issuesOfConversation(ctx, id, {}),
  }),
}));

builder.objectFields(ClusterType, (t) => ({
  issues: connection(t, {
    type: IssueType,
    operation: listConversationIssues,
    description: 'Lists the issues of the cluster, newest first.',
    without: ['organizationId', 'cluster', 'conversation'],
    from: ({ id, organizationId }) => ({ organizationId, cluster: id }),
    list: ({ id }, _input, ctx) => issuesOfCluster(ctx, id, {}),
  }),
  pages: connection(t, {
    type: PageType,
    operation: listClusterPages,
    without: ['clusterId', 'organizationId'],
    from: ({ id }) => ({ clusterId: id }),
    list: (cluster, _input, ctx) => pagesOfCluster(ctx, cluster),
  }),
  changeRequests: connection(t, {
    type: ChangeRequestType,
    operation: listClusterChangeRequests,
    without: ['clusterId', 'organizationId'],
    from: ({ id }) => ({ clusterId: id }),
    list: ({ id }, { status }, ctx) => changeRequestsOfCluster(ctx, id, { status: status ?? 'all' }),
  }),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  issuesCluster: t.field({
    type: ClusterType,
    nullable: true,
    description:
      'Cluster of issues that the change request was created for. Null if there is none, or if you cannot see it.',
    resolve: ({ issuesClusterId }, _args, ctx) => (issuesClusterId === null ? null : loadCluster(ctx, issuesClusterId)),
  }),
}));

for (const operation of [getConversation, getConversationIssue, getIssuesCluster, getIssuesGrouping])
  readInGraph(operation);

/** Objects of another organization than the parent are absent. */
const within = <Row extends { organizationId: string }>(row: Row | null | undefined, organizationId: string) =>
  row?.organizationId === organizationId ? row : null;

builder.objectFields(OrganizationType, (t) => ({
  conversations: connection(t, {
    type: ConversationType,
    operation: listConversations,
    description: `${listConversations.description} FORBIDDEN if you are a guest.`,
    nullable: true,
    parent: 'organizationId',
  }),
  conversation: t.field({
    type: ConversationType,
    nullable: true,
    description: 'Gets a conversation of the organization. Null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'ID of the `Conversation` (`conversation_…`).' }) },
    resolve: async ({ id: organizationId }, { id }, ctx) => within(await loadConversation(ctx, id), organizationId),
  }),
  conversationIssues: connection(t, {
    type: IssueType,
    operation: listConversationIssues,
    description: `${listConversationIssues.description} FORBIDDEN if you are a guest.`,
    nullable: true,
    parent: 'organizationId',
  }),
  conversationIssue: t.field({
    type: IssueType,
    nullable: true,
    description: 'Gets an issue of the organization. Null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'ID of the `ConversationIssue` (`issue_…`).' }) },
    resolve: async ({ id: organizationId }, { id }, ctx) => within(await loadIssue(ctx, id), organizationId),
  }),
  issuesClusters: connection(t, {
    type: ClusterType,
    operation: listIssuesClusters,
    description: `${listIssuesClusters.description} FORBIDDEN if you are a guest.`,
    nullable: true,
    parent: 'organizationId',
  }),
  issuesCluster: t.field({
    type: ClusterType,
    nullable: true,
    description: 'Gets a cluster of issues of the organization. Null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'ID of the `IssuesCluster` (`cluster_…`).' }) },
    resolve: async ({ id: organizationId }, { id }, ctx) => within(await loadCluster(ctx, id), organizationId),
  }),
  issuesGrouping: t.field({
    type: GroupingType,
    nullable: true,
    description: `${getIssuesGrouping.description} FORBIDDEN if you are a guest.`,
    resolve: async ({ id }, _args, ctx) => {
      await assertReadsConversations(ctx, id);
      return loadGrouping(ctx, id);
    },
  }),
}));

const organizationOf = (organizationId: string | null, ctx: Context) =>
  organizationId === null ? null : loadOrganization(ctx, organizationId);

mutation(ingestConversations, {
  conversations: {
    type: [ConversationType],
    description:
      'The ingested conversations in the order of the input. Conversations that the input repeats appear once.',
    resolve: async ({ conversationIds }, ctx) => {
      const conversations = await Promise.all(conversationIds.map((id) => loadConversation(ctx, id)));
      return conversations.filter((each) => each !== undefined);
    },
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the conversations belong to.',
    resolve: ({ organizationId }, ctx) => organizationOf(organizationId, ctx),
  },
});

mutation(deleteConversation, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted conversation. Null if it did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the conversation belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => organizationOf(organizationId, ctx),
  },
});

mutation(purgeConversations, {
  deletedCount: {
    type: 'Int',
    description: 'Number of deleted conversations.',
    resolve: ({ deletedCount }) => deletedCount,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the conversations belonged to.',
    resolve: ({ organizationId }, ctx) => organizationOf(organizationId, ctx),
  },
});
