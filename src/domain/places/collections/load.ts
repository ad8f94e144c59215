import { sql } from 'kysely';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { levelOn, needs, reaches } from '../../people/access/index.ts';

/** Collections by id, batched: those that the caller may see. The others are as good as absent. */
export const loadCollection = rowLoader<Row<'collection'>>('collection', async (ctx, ids) => {
  const { rows } = await sql<Row<'collection'>>`
    select c.* from collection c
    where c.id = any(${ids}::text[]) and ${reaches(levelOn.collection(ctx.actor, 'c'), needs.getCollection.collection)}`.execute(
    ctx.db,
  );
  return rows;
});
