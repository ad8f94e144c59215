import { defineEntity, p } from '@mikro-orm/core';
import { changes, createdTime, jsonb, raisesVersion, role, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { SpaceMergeRules } from '../../people/organizations/index.ts';

export const EDIT_MODES = ['live', 'locked'] as const;

/** A container of pages and files with a version graph. */
export const Space = defineEntity({
  name: 'Space',
  tableName: 'space',
  properties: {
    id: text().primary(),
    organizationId: text(),
    title: text(),
    /** The emoji, or its code point in hex. */
    emoji: text().default('1f4d4'),
    /** An icon's address, shown instead of the emoji. */
    icon: text().nullable(),
    editMode: p.enum(EDIT_MODES).default('live'),
    mergeRules: jsonb<SpaceMergeRules>(),
    language: text().nullable(),
    /** Null inherits from the level above. */
    defaultLevel: role().nullable(),
    /** The head: the revision that the primary content is at. Moved under this row's lock. */
    revisionId: text(),
    /** Number of the newest change request; raised under this row's lock. */
    latestChangeRequestNumber: p.integer().default(0),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    /** Taking a number from above is no change of the space. */
    version: changes(),
    deletedAt: time().nullable(),
  },
  indexes: [
    { name: 'space_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    {
      name: 'space_deleted_index',
      expression: 'create index "space_deleted_index" on "space" ("deleted_at") where "deleted_at" is not null',
    },
  ],
  triggers: [raisesVersion('(old.latest_change_request_number = new.latest_change_request_number)')],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    space: Table<typeof Space>;
  }
}
