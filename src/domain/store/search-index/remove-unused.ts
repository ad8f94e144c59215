import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';

/** Number of entries that one statement looks at. */
const ENTRIES_PER_SCAN = 5_000;

/** Number of entries that one transaction locks and deletes. */
const ENTRIES_PER_BATCH = 500;

/**
 * Finds entries that no page uses, among the next few thousand entries after an id. Returns the last id that it looked
 * at; undefined at the end.
 */
export async function findUnused(
  db: Database,
  after: number,
): Promise<{ last: number | undefined; batches: number[][] }> {
  const { rows } = await sql<{ id: number; isUnused: boolean }>`
    with looked as materialized (
      select e.id from search_entry e where e.id > ${after} order by e.id limit ${sql.lit(ENTRIES_PER_SCAN)}
    ), checked as materialized (
      select l.id, row_number() over (order by l.id desc) = 1 as is_last, ${isUnused(sql.ref('l.id'))} as is_unused
      from looked l
    )
    select c.id, c.is_unused as "isUnused" from checked c where c.is_unused or c.is_last order by c.id`.execute(db);
  const ids = rows.filter((row) => row.isUnused).map(({ id }) => id);
  const batches: number[][] = [];
  for (let at = 0; at < ids.length; at += ENTRIES_PER_BATCH) batches.push(ids.slice(at, at + ENTRIES_PER_BATCH));
  return { last: rows.at(-1)?.id, batches };
}

/**
 * Deletes those of the entries that are still unused. Runs in a transaction: entries are locked and then checked again
 * in a statement that sees the changes of the former lock holders. Those that others hold are left to the next run.
 */
export async function removeUnused(db: Database, ids: readonly number[]): Promise<void> {
  const held = await db
    .selectFrom('search_entry')
    .where('id', '=', anyId(ids))
    .select('id')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  await db
    .deleteFrom('search_entry as e')
    .where('e.id', '=', anyId(held.map(({ id }) => id)))
    .where(isUnused(sql.ref('e.id')))
    .execute();
}

const anyId = (ids: readonly number[]) => sql<number>`any(${ids}::bigint[])`;

/** `offset 0` forces an index lookup per entry. Otherwise all pages might be read for a few entries. */
const isUnused = (id: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select from search_page p where p.entry_id = ${id} offset 0)`;
