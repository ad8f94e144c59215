import { atLeast } from '../../../platform/access/roles.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { permissions, resourceRows } from '../../people/access/index.ts';

/** Collections by id, batched. Only collections that the caller can see. */
export const loadCollection = rowLoader<Row<'collection'>>('collection', async (ctx, ids) => {
  const collections = await resourceRows<Row<'collection'>>(ctx, { kind: 'collection', ids });
  return collections.filter(({ role }) => atLeast(role, permissions.getCollection.collection));
});
