import { defineEntity } from '@mikro-orm/core';
import { createdTime, flag, role, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A user in an organization. A null role is a guest, who sees only what is granted to them. */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    id: text().primary(),
    organizationId: text(),
    userId: text(),
    role: role().nullable(),
    /** A disabled member has no access to anything of the organization. */
    isDisabled: flag(false),
    isSso: flag(false),
    joinedAt: createdTime(),
    lastSeenAt: time().nullable(),
  },
  uniques: [{ name: 'membership_organization_user_unique', properties: ['organizationId', 'userId'] }],
  indexes: [
    { name: 'membership_user_index', properties: ['userId', 'organizationId'] },
    { name: 'membership_joined_index', properties: ['organizationId', 'joinedAt', 'id'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    membership: Table<typeof Membership>;
  }
}
