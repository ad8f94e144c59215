import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Issue, IssueInRest } from '../../../platform/errors/errors.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { changeRequest } from '../../content/change-requests/index.ts';
import { type ConversationRow, type IssueRow, loadConversation } from './access.ts';
import { deleteConversation } from './delete-conversation.ts';
import { getConversation } from './get-conversation.ts';
import { getConversationIssue } from './get-conversation-issue.ts';
import { getIssuesCluster } from './get-issues-cluster.ts';
import { getIssuesGrouping } from './get-issues-grouping.ts';
import { issuesGrouping } from './grouping-resources.ts';
import { ingestConversations } from './ingest-conversations.ts';
import { conversationInput } from './ingest-input.ts';
import { listClusterChangeRequests } from './list-cluster-change-requests.ts';
import { listClusterPages } from './list-cluster-pages.ts';
import { listConversationIssues } from './list-conversation-issues.ts';
import { listConversations } from './list-conversations.ts';
import { listIssuesClusters } from './list-issues-clusters.ts';
import { loadContent } from './load-content.ts';
import { purgeConversations } from './purge-conversations.ts';
import {
  clusterPage,
  conversation,
  conversationIssue,
  conversationMetadata,
  conversationPart,
  issuesCluster,
} from './resources.ts';

const CONVERSATIONS = '/v1/orgs/:organizationId/conversations';
const ISSUES = '/v1/orgs/:organizationId/conversations-issues';
const CLUSTERS = '/v1/orgs/:organizationId/conversations-clusters';

const detailShape = () =>
  z
    .object({
      conversation: shapeOf(conversation),
      parts: z.array(shapeOf(conversationPart)).describe('Messages of the conversation in order.'),
      metadata: shapeOf(conversationMetadata),
    })
    .meta({ id: 'ConversationDetail', description: 'A conversation with its parts and metadata.' });

async function presentDetail(row: ConversationRow, ctx: Context) {
  const parts = (await loadContent(ctx, row.id))?.parts ?? [];
  return {
    conversation: await present(conversation, row, ctx),
    parts: await Promise.all(parts.map((part) => present(conversationPart, part, ctx))),
    metadata: await present(conversationMetadata, row, ctx),
  };
}

const issueShape = () =>
  z
    .object({ issue: shapeOf(conversationIssue), conversation: shapeOf(conversation) })
    .meta({ id: 'IssueWithConversation', description: 'An issue and its conversation.' });

/** Undefined if the conversation was deleted since the issue was read. */
async function presentIssue(row: IssueRow, ctx: Context) {
  const conversationRow = await loadConversation(ctx, row.conversationId);
  if (!conversationRow) return undefined;
  return {
    issue: await present(conversationIssue, row, ctx),
    conversation: await present(conversation, conversationRow, ctx),
  };
}

/** One conversation, or a list of them. */
const conversationsOf = (input: Record<string, unknown>, { body }: RestInput): unknown[] => {
  if (Array.isArray(body)) return body;
  const { organizationId: _, ...one } = input;
  return [one];
};

/** `conversations.0.parts` is `parts` in the body of a single conversation, and `0.parts` in a list. */
function issueOfBody({ path: [first, index, ...rest], message }: Issue, { body }: RestInput): IssueInRest | undefined {
  if (first !== 'conversations') return undefined;
  if (index === undefined) return { path: [], message };
  return { path: Array.isArray(body) ? [index, ...rest] : rest, message };
}

const sortQuery = z.object({
  orderBy: z
    .enum(['updatedAt', 'issues', 'conversations', 'tasksTotal', 'tasksBacklog', 'tasksStarted'])
    .default('updatedAt')
    .describe('Field to sort by.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Sort direction.'),
});

export const conversationRoutes: Route[] = [
  listRoute(CLUSTERS, listIssuesClusters, {
    operationId: 'listConversationsIssuesClusters',
    query: sortQuery,
    toInput: (input, { query: { orderBy = 'updatedAt', order = 'desc' } }) =>
      ({ ...input, orderBy: { field: orderBy, direction: order } }) as z.input<typeof listIssuesClusters.input>, // validated by the operation
    issueInRest: ({ path: [first, part, ...rest], message }) =>
      first === 'orderBy' ? { path: [part === 'direction' ? 'order' : 'orderBy', ...rest], message } : undefined,
    response: resourceResponse(issuesCluster),
  }),
  route('GET', `${CLUSTERS}/:clusterId`, getIssuesCluster, {
    operationId: 'getConversationsIssuesCluster',
    response: resourceResponse(issuesCluster),
  }),
  listRoute(`${CLUSTERS}/:clusterId/change-requests`, listClusterChangeRequests, {
    operationId: 'listChangeRequestsForIssuesCluster',
    response: resourceResponse(changeRequest),
  }),
  listRoute(`${CLUSTERS}/:clusterId/pages`, listClusterPages, {
    operationId: 'listPagesForIssuesCluster',
    response: resourceResponse(clusterPage),
    isUncounted: true,
  }),
  route('GET', '/v1/orgs/:organizationId/conversations-grouping', getIssuesGrouping, {
    operationId: 'getIssuesGrouping',
    response: resourceResponse(issuesGrouping),
  }),
  listRoute(CONVERSATIONS, listConversations, {
    operationId: 'listConversations',
    response: resourceResponse(conversation),
  }),
  route('POST', CONVERSATIONS, ingestConversations, {
    operationId: 'ingestConversation',
    status: 204,
    body: z.object(conversationInput.shape),
    bodyOrList: true,
    toInput: (input, raw) =>
      ({
        organizationId: input.organizationId,
        conversations: conversationsOf(input, raw),
      }) as z.input<typeof ingestConversations.input>, // validated by the operation
    issueInRest: issueOfBody,
  }),
  route('DELETE', '/v1/orgs/:organizationId/conversations-sources/:source', purgeConversations, {
    operationId: 'purgeConversations',
    status: 204,
  }),
  listRoute(ISSUES, listConversationIssues, {
    operationId: 'listConversationsIssues',
    shape: issueShape,
    present: presentIssue,
  }),
  route('GET', `${ISSUES}/:issueId`, getConversationIssue, {
    operationId: 'getConversationIssueById',
    shape: issueShape,
    present: presentIssue,
  }),
  route('GET', `${CONVERSATIONS}/:conversationId`, getConversation, {
    operationId: 'getConversationById',
    shape: detailShape,
    present: presentDetail,
  }),
  route('DELETE', `${CONVERSATIONS}/:conversationId`, deleteConversation, {
    operationId: 'deleteConversationById',
  }),
];
