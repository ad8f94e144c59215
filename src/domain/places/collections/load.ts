import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { permissions, reaches, roleOn } from '../../people/access/index.ts';

/** Collections by id, batched. Only collections that the caller can see. */
export const loadCollection = rowLoader<Row<'collection'>>('collection', ({ db, actor }, ids) =>
  db
    .selectFrom('collection as c')
    .where('c.id', '=', anyOf(ids))
    .where(reaches(roleOn.collection(actor, 'c'), permissions.getCollection.collection))
    .selectAll('c')
    .execute(),
);
