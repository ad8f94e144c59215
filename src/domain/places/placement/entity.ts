import { reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { decides, defineDecisionEntity } from '../../people/access/index.ts';

/**
 * Position of a space or collection: its parent (a collection, or the organization at the top level) and its rank among
 * the siblings. Spaces and collections have a common order.
 */
export const Placement = defineDecisionEntity({
  name: 'Placement',
  tableName: 'placement',
  properties: {
    itemId: decides(text().primary()),
    organizationId: decides(text()),
    parentId: decides(text()),
    /** Fractional index. The collation compares it by bytes. */
    rank: text().collation('C'),
    organization: reference('Organization', 'organization_id'),
  },
  uniques: [{ name: 'placement_parent_rank_unique', properties: ['parentId', 'rank'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    placement: Table<typeof Placement>;
  }
}
