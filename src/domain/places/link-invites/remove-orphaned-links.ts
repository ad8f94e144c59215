import { sql } from 'kysely';
import { defineBackfill } from '../../../platform/jobs/backfill.ts';

const LINKS_PER_STATEMENT = 1_000;

/** Links whose collection is gone. */
const orphaned = sql`
  select i.id from link_invite i
  where i.collection_id is not null and not exists (select from collection c where c.id = i.collection_id)`;

/** Removes the links to collections that were deleted before links were deleted with them. */
export const removeOrphanedLinks = defineBackfill<true>('remove-orphaned-links', {
  rows: orphaned,
  async runBatch({ db }) {
    const { rows } = await sql`
      delete from link_invite where id in (${orphaned} limit ${sql.lit(LINKS_PER_STATEMENT)}) returning 1 as removed`.execute(
      db,
    );
    return rows.length > 0 ? true : undefined;
  },
});
