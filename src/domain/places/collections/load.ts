import { sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { permissions, rowsOf, withAccess } from '../../people/access/index.ts';

/** Collections by id, batched. Only collections that the caller can see. */
export const loadCollection = rowLoader<Row<'collection'>>('collection', async (ctx, ids) => {
  const found = await withAccess(ctx, { kind: 'collection', row: 'c' }, ({ columns }) =>
    rowsOf<Row<'collection'>>(
      ctx,
      sql`
        select c.*, ${columns} from collection c join access_version av on av.organization_id = c.organization_id
        where c.id = any(${ids}::text[])`,
    ),
  );
  return found.filter(({ role }) => atLeast(role, permissions.getCollection.collection));
});
