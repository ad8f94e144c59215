import { defineEntity } from '@mikro-orm/core';
import { flag, hash, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * Content that a garbage collection run has found reachable. The table is unlogged: fast to write, and empty after a
 * crash of the database, which a run detects by its own row of kind `run`.
 */
export const ContentMark = defineEntity({
  name: 'ContentMark',
  tableName: 'content_mark',
  properties: {
    /** Starts with the start time of the run. */
    runId: text().primary(),
    kind: text().primary(),
    /** Hash of the content; for a revision, the bytes of its id; empty for the run itself. */
    hash: hash().primary(),
    /** Whether the content it refers to is marked as well. */
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
