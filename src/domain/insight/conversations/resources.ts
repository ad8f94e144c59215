import { z } from 'zod';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { type ClusterRow, type ConversationRow, type IssueRow, loadCluster, loadConversation } from './access.ts';
import type { ConversationPart } from './entity.ts';
import { clusterStatus, labelOrigin, partRole, partType } from './enums.ts';
import type { ClusterPage } from './list-cluster-pages.ts';
import {
  type ClusterFigures,
  type ClusterTasks,
  loadContent,
  loadDescription,
  loadFigures,
  loadTasks,
} from './load-content.ts';

const conversationUrls = resource<ConversationRow>(
  { name: 'ConversationUrls', description: 'URLs of a conversation in the REST API and in its source.' },
  (f) => ({
    location: f.url('URL of the conversation in the REST API.', ({ id, organizationId }, ctx) =>
      locationUrl(ctx, `/v1/orgs/${organizationId}/conversations/${id}`),
    ),
    source: f.url.optional('URL of the conversation in its source. Null if it is not known.', ({ url }) => url),
  }),
);

export const conversationPart = resource<ConversationPart>(
  { name: 'ConversationPart', description: 'A message in a conversation, with the role of its author.' },
  (f) => ({
    type: f.enum(partType)('Kind of the part. All parts are messages.', ({ type }) => type),
    role: f.enum(partRole)('Role of the author.', ({ role }) => role),
    body: f.string(
      'Text of the message as it was ingested: plain text, Markdown or HTML. Escape or sanitize it before you display it. Personal data and secrets are replaced.',
      ({ body }) => body,
    ),
  }),
);

const conversationAttribute = resource<{ key: string; value: string }>(
  { name: 'ConversationAttribute', description: 'A name and a value that the source added to a conversation.' },
  (f) => ({
    key: f.string('Name of the attribute.', ({ key }) => key),
    value: f.string('Value of the attribute.', ({ value }) => value),
  }),
);

const attributesOf = async (ctx: Parameters<typeof loadContent>[0], { id }: ConversationRow) =>
  (await loadContent(ctx, id))?.attributes ?? {};

export const conversationMetadata = resource<ConversationRow>(
  { name: 'ConversationMetadata', description: 'URL, attributes and time of a conversation in its source.' },
  (f) => ({
    url: f.url.optional('URL of the conversation in its source.', ({ url }) => url),
    attributes: f.apart({
      graph: f.list(types.object(() => conversationAttribute))(
        'Attributes of the conversation, in the order in which they were sent.',
        async (row, ctx) => Object.entries(await attributesOf(ctx, row)).map(([key, value]) => ({ key, value })),
      ),
      rest: f.jsonObject<Record<string, string>>(z.record(z.string(), z.string()))(
        'Attributes of the conversation.',
        (row, ctx) => attributesOf(ctx, row),
      ),
    }),
    createdAt: f.time('Time when the conversation began.', ({ createdAt }) => createdAt),
  }),
);

export const conversation = resource<ConversationRow>(
  {
    name: 'Conversation',
    object: 'conversation',
    node: 'conversation',
    description:
      'A conversation with a visitor that was ingested from another system. Personal data and secrets are replaced.',
  },
  (f) => ({
    subject: f.string.optional('Subject of the conversation. Null if it has none.', ({ subject }) => subject),
    createdAt: f.time('Time when the conversation began.', ({ createdAt }) => createdAt),
    processedAt: f.time.optional(
      'Time when the issue of the conversation was found. Null until then.',
      ({ processedAt }) => processedAt,
    ),
    source: f.string('Source of the conversation: `integration:<name>:<id>` or `email`.', ({ source }) => source),
    urls: f.object(() => conversationUrls)('URLs of the conversation.', (row) => row),
    parts: f.list(types.object(() => conversationPart))(
      'Messages of the conversation in order.',
      async ({ id }, ctx) => (await loadContent(ctx, id))?.parts ?? [],
      { rest: false },
    ),
    metadata: f.object(() => conversationMetadata)('URL, attributes and time of the conversation.', (row) => row, {
      rest: false,
    }),
  }),
);

const issueUrls = resource<IssueRow>({ name: 'ConversationIssueUrls', description: 'API URLs of an issue.' }, (f) => ({
  location: f.url('URL of the issue in the REST API.', ({ id, organizationId }, ctx) =>
    locationUrl(ctx, `/v1/orgs/${organizationId}/conversations-issues/${id}`),
  ),
}));

export const conversationIssue = resource<IssueRow>(
  {
    name: 'ConversationIssue',
    object: 'conversation-issue',
    node: 'issue',
    description: 'The question of a conversation.',
  },
  (f) => ({
    title: f.string('Subject of the conversation, or the beginning of its first message.', ({ title }) => title),
    summary: f.string('Beginning of the first message of the visitor.', ({ summary }) => summary),
    language: f.string.optional(
      'Language of the question as an ISO 639-1 code. Null if it is not known.',
      ({ language }) => language,
    ),
    createdAt: f.time('Time when the conversation began.', ({ createdAt }) => createdAt),
    ingestedAt: f.time('Time when the conversation was ingested.', ({ ingestedAt }) => ingestedAt),
    conversation: f.reference(() => conversation, 'Conversation that the issue belongs to.', {
      prefix: 'conversation',
      isRequired: true,
      id: ({ conversationId }) => conversationId,
      load: ({ conversationId }, ctx) => loadConversation(ctx, conversationId),
    }),
    cluster: f.reference(() => issuesCluster, 'Cluster that the issue belongs to. Null if no other issue is similar.', {
      prefix: 'cluster',
      id: ({ clusterId }) => clusterId,
      load: ({ clusterId }, ctx) => (clusterId === null ? null : loadCluster(ctx, clusterId)),
    }),
    urls: f.object(() => issueUrls)('URLs of the issue.', (row) => row),
  }),
);

export const clusterPage = resource<ClusterPage>(
  { name: 'IssuesClusterPage', description: 'A page that may answer the questions of a cluster.' },
  (f) => ({
    space: f.id('space')('ID of the space of the page.', ({ spaceId }) => spaceId, { graph: false }),
    page: f.id('page')('ID of the page.', ({ pageId }) => pageId, { graph: false }),
    title: f.string('Title of the page.', ({ title }) => title),
    path: f.string('Path of the page in its space.', ({ path }) => path),
    score: f.float(
      'How well the page covers the words of the cluster, from 0 to 1. Words in its title and rare words count more.',
      ({ score }) => score,
    ),
    missing: f.list(types.string)(
      'Words of the cluster that the page does not contain, the most distinctive first.',
      ({ missing }) => missing,
    ),
    urls: f.object(() => clusterPageUrls)('URLs of the page.', (row) => row),
  }),
);

const clusterPageUrls = resource<ClusterPage>(
  { name: 'IssuesClusterPageUrls', description: 'URLs of a page that may answer a cluster.' },
  (f) => ({
    app: f.url('URL of the page in the web application.', ({ spaceId, pageId }, ctx) =>
      appUrl(ctx, `/spaces/${spaceId}/pages/${pageId}`),
    ),
  }),
);

const clusterSource = resource<ClusterFigures['sources'][number]>(
  { name: 'IssuesClusterSource', description: 'Number of conversations of a cluster that come from one source.' },
  (f) => ({
    source: f.string('Source of the conversations, such as `integration:api:user_…`.', ({ source }) => source),
    count: f.count('Number of conversations.', ({ count }) => count),
  }),
);

const clusterStats = resource<{ issues: number; tasks: ClusterTasks }>(
  {
    name: 'IssuesClusterStats',
    description:
      'Counts of a cluster. Tasks are the change requests that were created for it, including those that you cannot see.',
  },
  (f) => ({
    issues: f.count('Number of issues.', ({ issues }) => issues),
    conversations: f.count('Number of conversations. Each has one issue.', ({ issues }) => issues),
    tasksTotal: f.count('Number of change requests.', ({ tasks }) => tasks.total),
    tasksBacklog: f.count('Number of draft change requests.', ({ tasks }) => tasks.backlog),
    tasksStarted: f.count('Number of open change requests.', ({ tasks }) => tasks.started),
    tasksCompleted: f.count('Number of merged change requests.', ({ tasks }) => tasks.completed),
    tasksCancelled: f.count('Number of archived change requests.', ({ tasks }) => tasks.cancelled),
  }),
);

const NO_TASKS = { id: '', total: 0, backlog: 0, started: 0, completed: 0, cancelled: 0 };

const clusterUrls = resource<ClusterRow>(
  { name: 'IssuesClusterUrls', description: 'API and web URLs of a cluster of issues.' },
  (f) => ({
    location: f.url('URL of the cluster in the REST API.', ({ id, organizationId }, ctx) =>
      locationUrl(ctx, `/v1/orgs/${organizationId}/conversations-clusters/${id}`),
    ),
    app: f.url('URL of the cluster in the web application.', ({ id, organizationId }, ctx) =>
      appUrl(ctx, `/orgs/${organizationId}/conversations-clusters/${id}`),
    ),
  }),
);

/** Clusters have no icons of their own. */
const ICON = 'circle-question';

export const issuesCluster = resource<ClusterRow>(
  {
    name: 'IssuesCluster',
    object: 'issues-cluster',
    node: 'cluster',
    description: 'A group of similar issues from several conversations.',
  },
  (f) => ({
    label: f.string(
      'Words and phrases that distinguish the cluster from others, or a subject written by a model.',
      async ({ id, label }, ctx) => (await loadDescription(ctx, id))?.label ?? label,
    ),
    summary: f.string(
      'The most typical question of the cluster, or a summary written by a model.',
      async ({ id, summary }, ctx) => (await loadDescription(ctx, id))?.summary ?? summary,
    ),
    labelOrigin: f.enum(labelOrigin)('Source of `label` and `summary`.', async ({ id }, ctx) =>
      (await loadDescription(ctx, id)) ? 'model' : 'words',
    ),
    icon: f.string('Name of an icon.', () => ICON),
    status: f.enum(clusterStatus)(
      'Whether the latest complete grouping has evaluated the cluster.',
      ({ status }) => status,
    ),
    createdAt: f.time('Time when the cluster was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when issues were last added.', ({ updatedAt }) => updatedAt),
    closedAt: f.time.optional(
      'Time when the cluster was closed, because a change request was merged and no other is open. Null while it is open: a ' +
        'newer issue opens it again.',
      ({ closedAt }) => closedAt,
    ),
    weeklyPulse: f.list(types.count)(
      'Number of issues in each of the past 13 weeks, oldest first.',
      async ({ id }, ctx) => (await loadFigures(ctx, id))?.weeklyPulse ?? [],
    ),
    sources: f.apart({
      graph: f.list(types.object(() => clusterSource))(
        'Number of conversations by source.',
        async ({ id }, ctx) => (await loadFigures(ctx, id))?.sources ?? [],
      ),
      rest: f.jsonObject<Record<string, number>>(z.record(z.string(), z.number()))(
        'Number of conversations by source.',
        async ({ id }, ctx) =>
          Object.fromEntries(((await loadFigures(ctx, id))?.sources ?? []).map(({ source, count }) => [source, count])),
      ),
    }),
    stats: f.object(() => clusterStats)('Counts of the cluster.', async ({ id, issuesCount }, ctx) => ({
      issues: issuesCount,
      tasks: (await loadTasks(ctx, id)) ?? NO_TASKS,
    })),
    urls: f.object(() => clusterUrls)('URLs of the cluster.', (row) => row),
  }),
);
