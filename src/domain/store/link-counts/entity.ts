import { defineEntity, p } from '@mikro-orm/core';
import { reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * Number of references in the primary content of each space, and how many of those within the space are broken. A space
 * without references can have no row.
 */
export const HeadLinkCount = defineEntity({
  name: 'HeadLinkCount',
  tableName: 'head_link_count',
  properties: {
    spaceId: text().primary(),
    organizationId: text(),
    total: p.integer(),
    broken: p.integer(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

/**
 * References of the primary content of each space to targets outside of the space. Whether such a reference is broken
 * depends on the reader and on other spaces, so only the number of references is stored.
 */
export const HeadOutsideLink = defineEntity({
  name: 'HeadOutsideLink',
  tableName: 'head_outside_link',
  properties: {
    spaceId: text().primary(),
    /** MD5 of the target. Anchors can exceed the maximum size of an index entry. */
    targetKey: text().primary(),
    organizationId: text(),
    kind: text(),
    targetId: text().nullable(),
    targetSpaceId: text().nullable(),
    anchor: text().nullable(),
    /** Number of references to the target. */
    total: p.integer(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
    targetSpace: reference('Space', 'target_space_id').nullable(),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    head_link_count: Table<typeof HeadLinkCount>;
    head_outside_link: Table<typeof HeadOutsideLink>;
  }
}
