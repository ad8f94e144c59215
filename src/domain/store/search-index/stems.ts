import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/database/tables.ts';

/** A word with the stemmer to use. */
export interface Stemming {
  dictionary: string;
  word: string;
}

const CACHED_STEMS = 20_000;

/** Stemmers are deterministic, so entries never become outdated. */
const cache = new LRUCache<string, string>({ max: CACHED_STEMS });

const keyOf = ({ dictionary, word }: Stemming) => `${dictionary}/${word}`;

/**
 * Stems of words by PostgreSQL's stemmers; '' for stop words. Only queries the database for words that are not cached.
 */
export async function readStems(
  db: Database,
  stemmings: readonly Stemming[],
): Promise<(stemming: Stemming) => string | undefined> {
  const stemByKey = new Map<string, string>();
  const unknown = stemmings.filter((stemming) => {
    const stem = cache.get(keyOf(stemming));
    if (stem !== undefined) stemByKey.set(keyOf(stemming), stem);
    return stem === undefined;
  });
  if (unknown.length > 0) {
    const { rows } = await sql<Stemming & { stems: string[] | null }>`
      select w.dictionary, w.word, ts_lexize(('pg_catalog.' || w.dictionary)::regdictionary, w.word) as stems
      from unnest(${unknown.map(({ dictionary }) => dictionary)}::text[], ${unknown.map(({ word }) => word)}::text[])
        as w(dictionary, word)`.execute(db);
    for (const { stems, ...stemming } of rows) {
      const stem = stems === null ? stemming.word : (stems[0] ?? '');
      stemByKey.set(keyOf(stemming), stem);
      cache.set(keyOf(stemming), stem);
    }
  }
  return (stemming) => stemByKey.get(keyOf(stemming));
}
