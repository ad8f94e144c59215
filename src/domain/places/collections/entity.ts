import { roleColumn } from '../../../platform/access/role-column.ts';
import { changes, createdTime, raisesVersion, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { accessFormulas, decides, defineDecisionEntity } from '../../people/access/index.ts';

/** A folder of spaces and collections. `placement` has its position. */
export const Collection = defineDecisionEntity({
  name: 'Collection',
  tableName: 'collection',
  properties: {
    id: decides(text().primary()),
    organizationId: decides(text()),
    title: text(),
    description: text().default(''),
    /** Null if inherited from the level above. */
    defaultLevel: decides(roleColumn().nullable()),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    ...accessFormulas,
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'collection_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    {
      name: 'collection_title_index',
      expression: 'create index "collection_title_index" on "collection" ("organization_id", lower("title"), "id")',
    },
  ],
  triggers: [raisesVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    collection: Table<typeof Collection>;
  }
}
