import { defineEntity, p } from '@mikro-orm/core';
import {
  changes,
  createdTime,
  json,
  raisesVersion,
  reference,
  text,
  time,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

const CHANGE_REQUEST_STATUSES = ['draft', 'open', 'archived', 'merged'] as const;

/** A proposed change to a space, with a current revision of its own. */
export const ChangeRequest = defineEntity({
  name: 'ChangeRequest',
  tableName: 'change_request',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    number: p.integer(),
    status: p.enum(CHANGE_REQUEST_STATUSES).default('draft'),
    subject: text().default(''),
    description: json<unknown>().nullable(),
    /** The current revision. Changed only under a lock on this row. */
    revisionId: text(),
    revisionInitialId: text(),
    revisionMergedAncestorId: text().nullable(),
    revisionMergedId: text().nullable(),
    mergedAt: time().nullable(),
    mergedBy: text().nullable(),
    agentTaskId: text().nullable(),
    issuesClusterId: text().nullable(),
    createdBy: text(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    revision: reference('Revision', 'revision_id'),
    revisionInitial: reference('Revision', 'revision_initial_id'),
    revisionMergedAncestor: reference('Revision', 'revision_merged_ancestor_id').nullable(),
    revisionMerged: reference('Revision', 'revision_merged_id').nullable(),
    issuesCluster: reference('IssuesCluster', 'issues_cluster_id').nullable(),
  },
  uniques: [{ name: 'change_request_number_unique', properties: ['spaceId', 'number'] }],
  indexes: [
    { name: 'change_request_space_index', properties: ['spaceId', 'status', 'updatedAt', 'id'] },
    { name: 'change_request_updated_index', properties: ['spaceId', 'updatedAt', 'id'] },
    { name: 'change_request_organization_index', properties: ['organizationId', 'status', 'updatedAt', 'id'] },
    { name: 'change_request_cluster_index', properties: ['issuesClusterId', 'updatedAt', 'id'] },
    { name: 'change_request_organization_updated_index', properties: ['organizationId', 'updatedAt', 'id'] },
  ],
  triggers: [raisesVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    change_request: Table<typeof ChangeRequest>;
  }
}
