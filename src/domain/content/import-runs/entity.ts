import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, json, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { ReportLine } from '../imports/index.ts';
import type { ImportRunStatus } from './enums.ts';

/** What a run reads: a site, or uploads of whoever started it. */
export type RunSource = { type: 'website'; url: string } | { type: 'file'; files: string[] };

/** An import in the background, how far it is and what became of it. */
export const ImportRun = defineEntity({
  name: 'ImportRun',
  tableName: 'import_run',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    changeRequestId: text().nullable(),
    /** The page that the import goes below; null for the top. */
    pageId: text().nullable(),
    siteId: text().nullable(),
    source: json<RunSource>(),
    status: text().$type<ImportRunStatus>().default('pending'),
    /** Why it failed. */
    reason: text().nullable(),
    createdBy: text(),
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
    /** At most a thousand lines. */
    report: json<ReportLine[]>().nullable(),
    revisionId: text().nullable(),
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
