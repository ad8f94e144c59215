import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../platform/database/tables.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { inTransaction } from '../../../platform/operation/transact.ts';
import { FIRST_PLACE, indexMissing, type PagePlace } from './index-missing.ts';

const BATCH = 1_000;

/**
 * Indexes pages with no index entry or an outdated one, and deletes entries that pages no longer use, such as those of
 * edited, deleted and renamed pages.
 */
export const tidySearchIndex = defineJob(
  'tidy-search-index',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const runInTransaction = <Value>(act: (db: Database) => Promise<Value>) => {
      signal.throwIfAborted();
      return inTransaction(ctx, ({ db }) => act(db));
    };
    for (let place: PagePlace | undefined = FIRST_PLACE; place; ) {
      const from: PagePlace = place;
      place = await runInTransaction((inside) => indexMissing(inside, from));
    }
    for (let after = 0; ; ) {
      const last = await runInTransaction((inside) => removeUnused(inside, after));
      if (last === undefined) return;
      after = last;
    }
  },
  { cron: '*/15 * * * *', expiresIn: 3_600 },
);

/**
 * Deletes unused entries in the next batch of ids. Returns the last id; undefined at the end. Entries are locked and
 * then checked again in a statement that sees the changes of the former lock holders.
 */
async function removeUnused(db: Database, after: number): Promise<number | undefined> {
  const isUnused = sql<boolean>`not exists (select from search_page p where p.entry_id = e.id)`;
  const unused = await db
    .selectFrom('search_entry as e')
    .where('e.id', '>', after)
    .where(isUnused)
    .select('e.id')
    .orderBy('e.id')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  if (unused.length === 0) return undefined;
  await db
    .deleteFrom('search_entry as e')
    .where('e.id', '=', sql<number>`any(${unused.map(({ id }) => id)}::bigint[])`)
    .where(isUnused)
    .execute();
  return unused.at(-1)?.id;
}
