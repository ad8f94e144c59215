import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../platform/database/tables.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { inTransaction } from '../../../platform/transact.ts';
import { FIRST_PLACE, indexMissing, type PagePlace } from './index-missing.ts';

const BATCH = 1_000;

/**
 * Indexes what is not indexed, or by older rules, and removes entries that no page has any more: those of edited,
 * deleted and renamed pages.
 */
export const tidySearchIndex = defineJob(
  'tidy-search-index',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const each = <Value>(act: (db: Database) => Promise<Value>) => {
      signal.throwIfAborted();
      return inTransaction(ctx, ({ db }) => act(db));
    };
    for (let place: PagePlace | undefined = FIRST_PLACE; place; ) {
      const from: PagePlace = place;
      place = await each((inside) => indexMissing(inside, from));
    }
    for (let after = 0; ; ) {
      const last = await each((inside) => removeUnused(inside, after));
      if (last === undefined) return;
      after = last;
    }
  },
  { cron: '*/15 * * * *', expiresIn: 3_600 },
);

/**
 * Removes unused entries among those behind an id; answers the last one looked at, undefined at the end. They are locked
 * first and looked at again then: by a statement that sees what those who held them have done.
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
