import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import {
  accessInOrganization,
  notVisibleError,
  type OrganizationPermission,
  organizationFor,
} from '../../people/access/index.ts';
import { IssuesCluster } from './entity.ts';

/** A conversation without its parts and attributes, which are loaded separately. */
export type ConversationRow = Pick<Row<'conversation'>, (typeof CONVERSATION_COLUMNS)[number]>;

export const CONVERSATION_COLUMNS = [
  'id',
  'organizationId',
  'source',
  'externalId',
  'subject',
  'url',
  'createdAt',
  'ingestedAt',
  'processedAt',
] as const;

export type IssueRow = Pick<Row<'conversation_issue'>, (typeof ISSUE_COLUMNS)[number]>;

export const ISSUE_COLUMNS = [
  'id',
  'organizationId',
  'conversationId',
  'clusterId',
  'source',
  'title',
  'summary',
  'language',
  'createdAt',
  'ingestedAt',
] as const;

export type ClusterRow = Pick<Row<'issues_cluster'>, (typeof CLUSTER_COLUMNS)[number]>;

export const CLUSTER_COLUMNS = [
  'id',
  'organizationId',
  'label',
  'summary',
  'status',
  'terms',
  'issuesCount',
  'closedAt',
  'createdAt',
  'updatedAt',
] as const;

/** Throws unless the caller has a role in the organization: NOT_FOUND, or FORBIDDEN for guests. Batched. */
export async function assertReadsConversations(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw notVisibleError(ctx, 'organization', organizationId);
  if (access.role === null)
    throw forbidden('This operation requires the role "read" in the organization. You are a guest without a role.');
}

type Read<Item> = (ctx: Context, ids: string[]) => Promise<Item[]>;

const readConversations: Read<ConversationRow> = ({ db }, ids) =>
  db.selectFrom('conversation').where('id', '=', anyOf(ids)).select(CONVERSATION_COLUMNS).execute();

const readIssues: Read<IssueRow> = ({ db }, ids) =>
  db.selectFrom('conversation_issue').where('id', '=', anyOf(ids)).select(ISSUE_COLUMNS).execute();

const readClusters: Read<ClusterRow> = ({ db }, ids) =>
  db.selectFrom('issues_cluster').where('id', '=', anyOf(ids)).select(CLUSTER_COLUMNS).execute();

/** Names a resource of an organization. REST paths contain the organization as well. */
export interface Named {
  id: string;
  organizationId?: string | null | undefined;
}

/**
 * Loads a resource of an organization for a caller with the permission in it. NOT_FOUND if it does not exist, if
 * it belongs to another organization than the given one, or if the caller has no role, since guests do not see these
 * resources; FORBIDDEN for weaker roles, and for guests of the given organization.
 */
const resourceFor =
  <Item extends { organizationId: string }>(what: string, read: Read<Item>) =>
  async (ctx: Context, { id, organizationId }: Named, permission: OrganizationPermission): Promise<Item> => {
    if (organizationId != null) await organizationFor(ctx, organizationId, permission);
    const [row] = await read(ctx, [id]);
    const isWithin = row && (organizationId == null || row.organizationId === organizationId);
    const access = isWithin && (await accessInOrganization(ctx, row.organizationId));
    if (!access || access.role === null) throw notVisibleError(ctx, what, id);
    if (organizationId == null) await organizationFor(ctx, row.organizationId, permission);
    return row;
  };

export const conversationFor = resourceFor('conversation', readConversations);
export const issueFor = resourceFor('issue', readIssues);
export const clusterFor = resourceFor('cluster', readClusters);

/** Resources by id, batched. Only those of organizations in which the caller has a role. */
const loaderOf = <Item extends { id: string; organizationId: string }>(name: string, read: Read<Item>) =>
  rowLoader<Item>(name, async (ctx, ids) => {
    const rows = await read(ctx, ids);
    const access = await Promise.all(rows.map(({ organizationId }) => accessInOrganization(ctx, organizationId)));
    return rows.filter((_, index) => access[index]?.role != null);
  });

export const loadConversation = loaderOf('conversation', readConversations);
export const loadIssue = loaderOf('conversation-issue', readIssues);
export const loadCluster = entityLoader<ClusterRow>(IssuesCluster, {
  fields: CLUSTER_COLUMNS,
  isShown: async (ctx, { organizationId }) => (await accessInOrganization(ctx, organizationId))?.role != null,
});
