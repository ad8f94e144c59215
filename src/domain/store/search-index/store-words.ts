import { sql } from 'kysely';
import { fold } from '../../../lib/search/fold.ts';
import { spellingsOf } from '../../../lib/search/spellings.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Database } from '../../../platform/database/tables.ts';

/**
 * Adds new words of an organization. There is no unique key, so that transactions with the same new words do not wait
 * for each other; duplicates do no harm. Words in `stored` are skipped, and the others are added to it.
 */
export async function storeWords(
  db: Database,
  organizationId: string,
  words: Iterable<string>,
  stored: Set<string> = new Set(),
): Promise<void> {
  const before = stored.size;
  for (const word of words) stored.add(word);
  // A set iterates in the order of insertion.
  const all = [...stored].slice(before);
  for (let from = 0; from < all.length; from += WORDS_PER_STATEMENT)
    await storeSome(db, organizationId, all.slice(from, from + WORDS_PER_STATEMENT));
}

/** Words of one pair of statements: more than a page has, and few enough for the event loop to prepare at once. */
const WORDS_PER_STATEMENT = 2_000;

async function storeSome(db: Database, organizationId: string, words: readonly string[]): Promise<void> {
  const { rows: fresh } = await sql<{ word: string; folded: string }>`
    select w.word, w.folded from unnest(${[...words]}::text[], ${words.map(fold)}::text[]) as w(word, folded)
    where not exists (
      select from search_word s
      where s.organization_id = ${organizationId} and s.folded = w.folded collate "C" and s.word = w.word collate "C")`.execute(
    db,
  );
  if (fresh.length === 0) return;
  const pause = makeYielder();
  const rows: { word: string; folded: string; spellings: number[] }[] = [];
  for (const { word, folded } of fresh) {
    await pause();
    rows.push({ word, folded, spellings: spellingsOf(folded, organizationId) });
  }
  await sql`
    insert into search_word (organization_id, word, folded, spellings)
    select ${organizationId}, w.word, w.folded, array(select json_array_elements_text(w.spellings)::int)
    from json_to_recordset(${JSON.stringify(rows)}::json) as w(word text, folded text, spellings json)`.execute(db);
}
