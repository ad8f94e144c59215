import { defineEntity } from '@mikro-orm/core';
import { text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * Where a space or collection stands: its parent (a collection, or the organization at the top level) and its rank
 * among the siblings. Spaces and collections share one order.
 */
export const Placement = defineEntity({
  name: 'Placement',
  tableName: 'placement',
  properties: {
    itemId: text().primary(),
    organizationId: text(),
    parentId: text(),
    /** Fractional index: compared byte by byte, hence the collation. */
    rank: text().collation('C'),
  },
  uniques: [{ name: 'placement_parent_rank_unique', properties: ['parentId', 'rank'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    placement: Table<typeof Placement>;
  }
}
