import { defineEntity, p } from '@mikro-orm/core';
import { roleColumn } from '../../../platform/access/role-column.ts';
import { changes, createdTime, raisesVersion, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * A link by which anyone with an account joins an organization, as a member or as a guest with a role on one space or
 * collection. Its id is a secret.
 */
export const LinkInvite = defineEntity({
  name: 'LinkInvite',
  tableName: 'link_invite',
  properties: {
    id: text().primary(),
    organizationId: text(),
    /** At most one of both. Neither for links to the organization. */
    spaceId: text().nullable(),
    collectionId: text().nullable(),
    /** On the space or collection, or else in the organization, where null is the role of guests. */
    role: roleColumn().nullable(),
    expiresAt: time().nullable(),
    /** Number of people who have joined with the link. */
    uses: p.integer().default(0),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id').nullable(),
    collection: reference('Collection', 'collection_id').nullable(),
  },
  indexes: [
    { name: 'link_invite_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'link_invite_space_index', properties: ['spaceId'] },
    { name: 'link_invite_collection_index', properties: ['collectionId'] },
  ],
  triggers: [raisesVersion('(old.uses = new.uses)')],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    link_invite: Table<typeof LinkInvite>;
  }
}
