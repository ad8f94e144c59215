import { type QueryShape, queryShape } from '../../../lib/search/query-terms.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { conditionsOf } from './levels.ts';
import { MAX_HITS, readCandidates } from './read-candidates.ts';
import { type FoundTerm, readTerms, withTypos } from './read-terms.ts';
import { AS_WRITTEN, scoreCandidates } from './relevance.ts';
import type { Hit, SearchedSpace, SearchScope } from './scope.ts';

/** The matches, best first, and the terms that they match. */
export interface Found {
  hits: Hit[];
  terms: FoundTerm[];
}

/** With fewer results, the search is repeated with typos corrected. */
const FEW_HITS = 5;

/**
 * Finds the pages that contain all words of a query, best first; words in the titles of ancestors count if the title of
 * the page has the others. It takes at most four statements, or six for a query with few results. The cost does not
 * depend on how common the words are.
 */
export async function searchPages(db: Database, scope: SearchScope, query: string): Promise<Found> {
  const { organizationId, spaces } = scope;
  if (spaces.length === 0) return { hits: [], terms: [] };
  const languages = [...new Set(spaces.map(({ language }) => language))];
  const [terms, within] = await Promise.all([readTerms(db, organizationId, query, languages), sourcesOf(db, spaces)]);
  if (terms.length === 0) return { hits: [], terms };
  const searched = { ...scope, within, shape: queryShape(query) };
  const exactHits = await readHits(db, searched, terms);
  const hits = bestHits(exactHits.map((hit) => ({ ...hit, score: hit.score + AS_WRITTEN })));
  if (hits.length >= FEW_HITS) return { hits, terms };
  const corrected = await withTypos(db, organizationId, terms);
  if (corrected.every(({ forms }, index) => forms.length === terms[index]?.forms.length)) return { hits, terms };
  return { hits: bestHits([...hits, ...(await readHits(db, searched, corrected))]), terms: corrected };
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
  { organizationId, within, shape, ...scope }: SearchScope & { within: string[]; shape: QueryShape },
  terms: readonly FoundTerm[],
): Promise<Hit[]> {
  const conditions = conditionsOf(organizationId, { terms, shape }, within);
  return scoreCandidates(await readCandidates(db, { organizationId, ...scope }, conditions), terms, shape);
}

/** The best 200 hits, best first. Of several hits for a page, the best one is kept. */
export function bestHits(hits: readonly Hit[]): Hit[] {
  const sorted = hits.toSorted(compareHits);
  const seen = new Set<string>();
  const best = sorted.filter(({ spaceId, pageId }) => {
    const key = `${spaceId}/${pageId}`;
    return !seen.has(key) && seen.add(key);
  });
  return best.slice(0, MAX_HITS);
}

/** Best first. Ties are broken by id. */
const compareHits = (a: Hit, b: Hit) =>
  b.score - a.score || compare(a.spaceId, b.spaceId) || compare(a.pageId, b.pageId);

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
