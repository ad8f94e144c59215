import { p } from '@mikro-orm/core';
import { roleColumn } from '../../../platform/access/role-column.ts';
import {
  changes,
  createdTime,
  jsonb,
  raisesVersion,
  reference,
  text,
  time,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { accessFormulas, decides, defineDecisionEntity } from '../../people/access/index.ts';
import type { SpaceMergeRules } from '../../people/organizations/index.ts';
import type { TranslationLanguage } from './language.ts';

const EDIT_MODES = ['live', 'locked'] as const;

/** A container of pages and files with a version history. */
export const Space = defineDecisionEntity({
  name: 'Space',
  tableName: 'space',
  properties: {
    id: decides(text().primary()),
    organizationId: decides(text()),
    title: text(),
    /** An emoji character or its hexadecimal code point. */
    emoji: text().default('1f4d4'),
    /** URL of an image that replaces the emoji. */
    icon: text().nullable(),
    editMode: p.enum(EDIT_MODES).default('live'),
    mergeRules: jsonb<SpaceMergeRules>(),
    language: text().$type<TranslationLanguage>().nullable(),
    /** Null inherits from the level above. */
    defaultLevel: decides(roleColumn().nullable()),
    /** The current revision of the primary content. Changed under the lock of this row. */
    revisionId: text(),
    /** Number of the latest change request. Incremented under the lock of this row. */
    latestChangeRequestNumber: p.integer().default(0),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    /** Not incremented with `latestChangeRequestNumber`, which does not change the space itself. */
    version: changes(),
    deletedAt: decides(time().nullable()),
    ...accessFormulas,
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'space_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    {
      name: 'space_title_index',
      expression: 'create index "space_title_index" on "space" ("organization_id", lower("title"), "id")',
    },
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
