import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, json, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { ReportLine } from '../import-engine/index.ts';
import type { ImportRunStatus } from './enums.ts';

/**
 * Source of an import run: a website, or uploads of the user who started the run. An import that did not fit into its
 * request can also have the `url` of a file, and has the type that the request gave (`ImportSource`).
 */
export type RunSource =
  | { type: 'website'; url: string }
  | { type: 'file'; files: string[]; url?: string; source?: string };

/** An import in the background, with its progress and result. */
export const ImportRun = defineEntity({
  name: 'ImportRun',
  tableName: 'import_run',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    changeRequestId: text().nullable(),
    /** Parent of the imported pages; null for the top level. */
    pageId: text().nullable(),
    siteId: text().nullable(),
    source: json<RunSource>(),
    status: text().$type<ImportRunStatus>().default('pending'),
    /** Reason for the failure. */
    reason: text().nullable(),
    createdBy: text(),
    /** The identity provider that its user signed in with. */
    samlProviderId: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    startedAt: time().nullable(),
    completedAt: time().nullable(),
    pagesFound: p.integer().default(0),
    pagesRead: p.integer().default(0),
    pagesWritten: p.integer().default(0),
    filesWritten: p.integer().default(0),
    keptCount: p.integer().default(0),
    changedCount: p.integer().default(0),
    droppedCount: p.integer().default(0),
    /** At most 1,000 entries. */
    report: json<ReportLine[]>().nullable(),
    revisionId: text().nullable(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    changeRequest: reference('ChangeRequest', 'change_request_id').nullable(),
    site: reference('Site', 'site_id').nullable(),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
    revision: reference('Revision', 'revision_id').nullable(),
  },
  indexes: [
    { name: 'import_run_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'import_run_space_index', properties: ['spaceId'] },
    { name: 'import_run_status_index', properties: ['status', 'updatedAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    import_run: Table<typeof ImportRun>;
  }
}
