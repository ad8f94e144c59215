import { defineEntity, p } from '@mikro-orm/core';
import { roleColumn } from '../../../platform/access/role-column.ts';
import { createdTime, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { decides, defineDecisionEntity } from './decision-entity.ts';

/** A role granted to a user or a team on one space, collection or site. */
export const Grant = defineDecisionEntity({
  name: 'Grant',
  tableName: 'grant',
  properties: {
    organizationId: decides(text()),
    targetId: decides(text().primary()),
    granteeId: decides(text().primary()),
    role: decides(roleColumn()),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'grant_grantee_index', properties: ['organizationId', 'granteeId', 'targetId'] }],
});

/**
 * A random value per organization that changes in the transaction of every change that decisions about access read
 * (`decides`). It is compared for equality only. Commands that change access lock the row first
 * (`lockAccess`); writes share the lock until they commit.
 */
export const AccessVersion = defineEntity({
  name: 'AccessVersion',
  tableName: 'access_version',
  properties: {
    organizationId: text().primary(),
    version: p.uuid(),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    grant: Table<typeof Grant>;
    access_version: Table<typeof AccessVersion>;
  }
}
