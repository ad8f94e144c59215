import { defineEntity } from '@mikro-orm/core';
import { flag, hash, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * What one run of the collector has found to be reachable. The table is unlogged: cheap to write, and empty after a crash of
 * the database, which a run notices by its own row of kind `run`.
 */
export const ContentMark = defineEntity({
  name: 'ContentMark',
  tableName: 'content_mark',
  properties: {
    /** Begins with the time when the run began. */
    runId: text().primary(),
    kind: text().primary(),
    /** The content's hash; the id of a revision as bytes; empty for the run itself. */
    hash: hash().primary(),
    /** Whether what it refers to is marked too. */
    isExpanded: flag(false),
  },
  indexes: [
    {
      name: 'content_mark_open_index',
      expression: 'create index "content_mark_open_index" on "content_mark" ("run_id") where not "is_expanded"',
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    content_mark: Table<typeof ContentMark>;
  }
}
