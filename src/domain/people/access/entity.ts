import { defineEntity } from '@mikro-orm/core';
import { createdTime, role, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A role granted to a user or a team on one space, collection or site. */
export const Grant = defineEntity({
  name: 'Grant',
  tableName: 'grant',
  properties: {
    targetId: text().primary(),
    granteeId: text().primary(),
    organizationId: text(),
    role: role(),
    createdAt: createdTime(),
  },
  indexes: [{ name: 'grant_grantee_index', properties: ['organizationId', 'granteeId', 'targetId'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    grant: Table<typeof Grant>;
  }
}
