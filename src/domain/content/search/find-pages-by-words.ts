import { sql } from 'kysely';
import { queryTerms } from '../../../lib/search/query-terms.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { lexeme, organizationKey } from '../../store/search-index/index.ts';
import { type FoundTerm, readForms, type WantedTerm } from './read-terms.ts';
import { hiddenPagesOf, isUnconditional, type SearchedSpace, type SearchScope } from './scope.ts';

/** A page that contains some of the words. */
export interface PageWithWords {
  spaceId: string;
  pageId: string;
  title: string;
  path: string;
  /** From 0 to 1: the weight of the words that it contains. Words in the title count twice, rare words more. */
  score: number;
  /** Words that the page does not contain, in the given order. */
  missing: string[];
}

/** Pages that are read for each word, and returned for each list. */
const MAX_READ = 300;
const MAX_PAGES = 20;

/** Words to find in spaces of an organization. Queries of one organization have the same spaces. */
export interface WordsQuery extends SearchScope {
  words: readonly string[];
}

/**
 * Finds pages that contain some of the words of each query, in any form, best first. Takes the same number of
 * statements for any number of queries and organizations: three at most. In spaces on which the caller has no role,
 * pages with conditions in their body are only found by their titles.
 */
export async function findPagesByWords(db: Database, queries: readonly WordsQuery[]): Promise<PageWithWords[][]> {
  const searchTerms = wantedTerms(queries);
  const forms = await readForms(db, searchTerms);
  const terms = forms.map((term, index) => ({ ...term, organizationId: searchTerms[index]?.organizationId ?? '' }));
  const spaces = new Map(queries.flatMap((query) => query.spaces.map((space) => [space.id, space])));
  const matches = Map.groupBy(await readMatches(db, [...spaces.values()], terms), keyOf);
  return queries.map(({ organizationId, words }) =>
    ranked(words, (word) => matches.get(keyOf({ organizationId, word: textOf(word) })) ?? []),
  );
}

/** Each term once in each organization that has spaces to search. */
function wantedTerms(queries: readonly WordsQuery[]): WantedTerm[] {
  const termsByKey = new Map<string, WantedTerm>();
  for (const { organizationId, spaces, words } of queries) {
    if (spaces.length === 0) continue;
    const languages = [...new Set(spaces.map(({ language }) => language))];
    for (const [term] of words.map(queryTerms)) {
      if (!term) continue;
      const entry = { term: { ...term, isLast: false }, organizationId, languages };
      termsByKey.set(keyOf({ organizationId, word: term.text }), entry);
    }
  }
  return [...termsByKey.values()];
}

const textOf = (word: string) => queryTerms(word)[0]?.text ?? word;

const keyOf = ({ organizationId, word }: { organizationId: string; word: string }) => `${organizationId} ${word}`;

interface Match {
  organizationId: string;
  word: string;
  spaceId: string;
  pageId: string;
  title: string;
  path: string | null;
  inTitle: boolean;
}

async function readMatches(
  db: Database,
  spaces: readonly SearchedSpace[],
  terms: readonly (FoundTerm & { organizationId: string })[],
): Promise<Match[]> {
  const conditions = terms.flatMap(({ organizationId, ...term }) => {
    const words = term.isRun ? term.grams : term.forms;
    if (words.length === 0) return [];
    const key = organizationKey(organizationId);
    const inField = (field: 'anywhere' | 'title') =>
      words.map((word) => lexeme(key, field, word)).join(term.isRun ? ' & ' : ' | ');
    return [{ organizationId, word: term.text, anywhere: inField('anywhere'), title: inField('title') }];
  });
  if (conditions.length === 0) return [];
  const all = spaces.map(({ id }) => id);
  const open = spaces.filter(({ findsAll }) => findsAll).map(({ id }) => id);
  const hidden = hiddenPagesOf(spaces);
  const isSeen = hidden
    ? sql`and (p.space_id, p.page_id) not in (select * from unnest(${hidden.spaceIds}::text[], ${hidden.pageIds}::text[]))`
    : sql``;
  const { rows } = await sql<Match>`
    select w."organizationId", w.word, p.space_id as "spaceId", p.page_id as "pageId", h.title, h.path, p.in_title as "inTitle"
    from json_to_recordset(${JSON.stringify(conditions)}::json)
      as w("organizationId" text, word text, anywhere text, title text)
    cross join lateral (
      select p.space_id, p.page_id, e.words @@ w.title::tsquery as in_title
      from search_entry e join search_page p on p.entry_id = e.id
      where e.words @@ w.anywhere::tsquery and e.organization_id = w."organizationId"
        and p.space_id = any(${all}::text[]) and (not p.no_index or p.space_id = any(${open}::text[])) ${isSeen}
      order by e.words @@ w.title::tsquery desc, p.space_id, p.page_id
      limit ${sql.lit(MAX_READ)}) p
    join head_page h on h.space_id = p.space_id and h.page_id = p.page_id
    where p.space_id = any(${open}::text[]) or p.in_title or ${isUnconditional}`.execute(db);
  return rows;
}

function ranked(words: readonly string[], matchesOf: (word: string) => Match[]): PageWithWords[] {
  const weights = words.map((word) => 1 / Math.log2(2 + matchesOf(word).length));
  const total = weights.reduce((sum, weight) => sum + 2 * weight, 0);
  const pages = new Map<string, PageWithWords>();
  for (const [index, word] of words.entries()) {
    for (const { spaceId, pageId, title, path, inTitle } of matchesOf(word)) {
      const key = `${spaceId}/${pageId}`;
      const page = pages.get(key) ?? { spaceId, pageId, title, path: path ?? '', score: 0, missing: [...words] };
      page.score += ((weights[index] ?? 0) * (inTitle ? 2 : 1)) / total;
      page.missing = page.missing.filter((each) => each !== word);
      pages.set(key, page);
    }
  }
  return [...pages.values()].toSorted(compare).slice(0, MAX_PAGES);
}

const compare = (a: PageWithWords, b: PageWithWords) =>
  b.score - a.score || order(a.spaceId, b.spaceId) || order(a.pageId, b.pageId);

const order = (a: string, b: string) => Number(a > b) - Number(a < b);
