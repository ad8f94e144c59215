import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { LEVELS, levelsOf } from './levels.ts';
import { readTerms, type Term, withTypos } from './read-terms.ts';

/** The spaces to search: spaces of one organization that the caller can view. */
export interface SearchScope {
  organizationId: string;
  spaces: readonly SearchedSpace[];
}

export interface SearchedSpace {
  id: string;
  language: string | null;
  /** Whether pages with `noIndex` are found. True for callers with a role on the space. */
  findsAll: boolean;
}

/** A page that matches a query. Better matches have higher scores. */
export interface Hit {
  spaceId: string;
  pageId: string;
  score: number;
}

/** The matches, best first, and the terms that they match. */
export interface Found {
  hits: Hit[];
  terms: Term[];
}

/** Maximum number of results. Pages beyond it match no better than those that are returned. */
export const MAX_HITS = 200;

/** With fewer results, the search is repeated with typos corrected. */
const FEW_HITS = 5;

/** Added to the score of pages that match without a correction, so that they come first. */
const AS_WRITTEN = 10_000;

/**
 * Finds the pages that contain all words of a query, best first. It takes at most four statements, or six for a query with
 * few results. The cost does not depend on how common the words are.
 */
export async function findPages(db: Database, scope: SearchScope, query: string): Promise<Found> {
  const { organizationId, spaces } = scope;
  if (spaces.length === 0) return { hits: [], terms: [] };
  const languages = [...new Set(spaces.map(({ language }) => language))];
  const terms = await readTerms(db, organizationId, query, languages);
  if (terms.length === 0) return { hits: [], terms };
  const searched = { ...scope, within: await sourcesOf(db, spaces) };
  const found = await readHits(db, searched, terms);
  const hits = best(found.map((hit) => ({ ...hit, score: hit.score + AS_WRITTEN })));
  if (hits.length >= FEW_HITS) return { hits, terms };
  const corrected = await withTypos(db, organizationId, terms);
  if (corrected.every(({ forms }, index) => forms.length === terms[index]?.forms.length)) return { hits, terms };
  return { hits: best([...hits, ...(await readHits(db, searched, corrected))]), terms: corrected };
}

/** With more spaces, filtering by space in the index is not worth it: the result is filtered by space anyway. */
const MAX_WITHIN = 30;

/** The spaces whose index entries the pages can use; empty if there are too many. */
async function sourcesOf(db: Database, spaces: readonly SearchedSpace[]): Promise<string[]> {
  if (spaces.length > MAX_WITHIN) return [];
  const ids = spaces.map(({ id }) => id);
  const query = db.selectFrom('search_source').where('spaceId', '=', anyOf(ids)).select('sourceId').distinct();
  const all = [...new Set([...ids, ...(await query.execute()).map(({ sourceId }) => sourceId)])];
  return all.length > MAX_WITHIN ? [] : all;
}

async function readHits(
  db: Database,
  { organizationId, spaces, within }: SearchScope & { within: string[] },
  terms: readonly Term[],
): Promise<Hit[]> {
  const branches = levelsOf(organizationId, terms, within).map((condition, index) =>
    branch(condition, index, organizationId),
  );
  const all = spaces.map(({ id }) => id);
  const open = spaces.filter(({ findsAll }) => findsAll).map(({ id }) => id);
  // PostgreSQL reads the levels in order and stops at the limit, so it skips the last levels of common words.
  const { rows } = await sql<{ spaceId: string; pageId: string; level: number; length: number }>`
    with searched as materialized (
      select id, id = any(${open}::text[]) as finds_all from unnest(${all}::text[]) as s(id)
    )
    ${sql.join(branches, sql` union all `)}
    limit ${sql.lit(2 * MAX_HITS)}`.execute(db);
  return rows.map(({ level, length, ...page }) => ({ ...page, score: scoreOf(level, length) }));
}

function branch(condition: string, index: number, organizationId: string): RawBuilder<unknown> {
  return sql`(
    select p.space_id as "spaceId", p.page_id as "pageId", ${sql.lit(index)} as level, e.length
    from search_entry e join search_page p on p.entry_id = e.id
    where e.words @@ ${condition}::tsquery and e.organization_id = ${organizationId}
      and case when p.no_index then p.space_id in (select id from searched where finds_all)
        else p.space_id in (select id from searched) end
    limit ${sql.lit(MAX_HITS)})`;
}

/** An integer, which a cursor can hold exactly: the level first, then the length of the page. */
const scoreOf = (level: number, length: number) =>
  (LEVELS - level) * 1_000 + Math.round(999 / (1 + Math.log2(1 + length)));

/** Removes duplicates; the best score of each page is kept. */
function best(hits: readonly Hit[]): Hit[] {
  const sorted = hits.toSorted(compareHits);
  const seen = new Set<string>();
  const kept = sorted.filter(({ spaceId, pageId }) => {
    const key = `${spaceId}/${pageId}`;
    return !seen.has(key) && seen.add(key);
  });
  return kept.slice(0, MAX_HITS);
}

/** Best first. Ties are broken by id. */
const compareHits = (a: Hit, b: Hit) =>
  b.score - a.score || compare(a.spaceId, b.spaceId) || compare(a.pageId, b.pageId);

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
