import { sql } from 'kysely';
import { fold } from '../../../lib/search/fold.ts';
import { type QueryTerm, queryTerms } from '../../../lib/search/query-terms.ts';
import { isOneEdit, spellingsOf, toleratesTypo } from '../../../lib/search/spellings.ts';
import { gramsToFind } from '../../../lib/search/terms.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { dictionariesFor, readStems } from '../../store/search-index/index.ts';

/** A term of a query with the words of the organization that match it. */
export interface FoundTerm extends QueryTerm {
  /** The word as written, with and without accents, and its variants. */
  exact: string[];
  /**
   * The exact words and words with the same stem. For the last term also words that begin with it, from three letters
   * on.
   */
  forms: string[];
  /** N-grams of a term in a script without spaces. All of them must match. */
  grams: string[];
}

/** Maximum number of words for one term. */
const MAX_FORMS = 25;

/** Minimum length of a prefix. Shorter prefixes match too many words. */
const MIN_PREFIX = 2;
const MIN_PREFIX_IN_BODIES = 3;

/** The terms of a query, for spaces in these languages. Stop words are removed unless the query has no other words. */
export async function readTerms(
  db: Database,
  organizationId: string,
  query: string,
  languages: readonly (string | null)[],
): Promise<FoundTerm[]> {
  const stemmedTerms = await stemmed(
    db,
    queryTerms(query).map((term) => ({ term, organizationId, languages })),
  );
  const telling = stemmedTerms.filter(({ isStopWord }) => !isStopWord);
  return withForms(db, telling.length > 0 ? telling : stemmedTerms);
}

/** The words that match each of many terms, each term in its organization. At most two statements. */
export const readForms = async (db: Database, terms: readonly WantedTerm[]): Promise<FoundTerm[]> =>
  withForms(db, await stemmed(db, terms));

async function withForms(db: Database, terms: readonly Stemmed[]): Promise<FoundTerm[]> {
  const wordsByPlace = Map.groupBy(await lookUp(db, terms.flatMap(lookupsOf)), ({ place }) => place);
  return terms.map(({ term }, place) => {
    const words = wordsByPlace.get(place) ?? [];
    const exact = words.filter(({ folded }) => folded === term.folded);
    return {
      ...term,
      exact: [...new Set([...exact.map(({ word }) => word), ...term.variants])],
      forms: [...new Set([...words.map(({ word }) => word), ...term.variants])],
      grams: term.isRun ? gramsToFind(term.text) : [],
    };
  });
}

/** A term of a query, with the organization and the languages of the spaces that are searched for it. */
export interface WantedTerm {
  term: QueryTerm;
  organizationId: string;
  languages: readonly (string | null)[];
}

interface Stemmed extends WantedTerm {
  /** One per stemmer. */
  stems: { dictionary: string; stem: string }[];
  isStopWord: boolean;
}

async function stemmed(db: Database, terms: readonly WantedTerm[]): Promise<Stemmed[]> {
  const dictionaries = terms.map(({ term: { text, isRun }, languages }) =>
    isRun ? [] : dictionariesFor(text, languages),
  );
  const words = terms.flatMap(({ term: { text: word } }, place) =>
    (dictionaries[place] ?? []).map((dictionary) => ({ dictionary, word })),
  );
  const stemOf = await readStems(db, words);
  return terms.map((entry, place) => {
    const stems = (dictionaries[place] ?? []).map((dictionary) => {
      const stem = stemOf({ dictionary, word: entry.term.text }) ?? '';
      return { dictionary, stem };
    });
    return { ...entry, stems, isStopWord: stems.some(({ stem }) => stem === '') };
  });
}

function lookupsOf({ term, organizationId, stems }: Stemmed, place: number): Lookup[] {
  if (term.isRun) return [];
  const plain: Lookup = {
    place,
    organizationId,
    folded: term.folded,
    isPrefix: isPrefix(term, MIN_PREFIX_IN_BODIES),
    dictionary: null,
    stem: null,
  };
  const usableStems = stems.filter(({ stem }) => stem !== '');
  if (usableStems.length === 0) return [plain];
  return usableStems.map(({ dictionary, stem }) => ({ ...plain, dictionary: `pg_catalog.${dictionary}`, stem }));
}

/** Adds words that differ by one typo to the forms of the terms. */
export async function withTypos(
  db: Database,
  organizationId: string,
  terms: readonly FoundTerm[],
): Promise<FoundTerm[]> {
  const doubtful = terms.filter(({ isRun, folded }) => !isRun && toleratesTypo(folded));
  const spellings = doubtful.flatMap(({ folded }) => spellingsOf(folded, organizationId));
  if (spellings.length === 0) return [...terms];
  const { rows } = await sql<{ word: string; folded: string }>`
    select distinct w.word, w.folded from search_word w
    where w.organization_id = ${organizationId} and w.spellings && ${spellings}::int[]
    order by w.folded, w.word limit 500`.execute(db);
  return terms.map((term) => {
    if (!doubtful.includes(term)) return term;
    const corrections = rows.filter(({ folded }) => isOneEdit(folded, term.folded)).map(({ word }) => word);
    return { ...term, forms: [...new Set([...term.forms, ...corrections.slice(0, MAX_FORMS)])] };
  });
}

/** Whether a term also matches words that begin with it. */
export const isPrefix = ({ isLast, isRun, folded }: QueryTerm, letters = MIN_PREFIX) =>
  isLast && !isRun && folded.length >= letters;

interface Lookup {
  place: number;
  organizationId: string;
  folded: string;
  isPrefix: boolean;
  dictionary: string | null;
  stem: string | null;
}

/**
 * Reads the words that have the stem of a lookup, begin with it, or equal it. A stem and its words share their first
 * letters, so only words in that range of the index are stemmed.
 */
async function lookUp(db: Database, lookups: readonly Lookup[]) {
  if (lookups.length === 0) return [];
  const parameters = lookups.map((lookup) => ({ ...lookup, beginning: beginningOf(lookup) }));
  const { rows } = await sql<{ place: number; word: string; folded: string }>`
    select q.place, f.word, f.folded
    from json_to_recordset(${JSON.stringify(parameters)}::json)
      as q(place int, "organizationId" text, folded text, "isPrefix" boolean, dictionary text, stem text, beginning text)
    cross join lateral (
      select distinct on (w.folded <> q.folded, length(w.folded), w.folded, w.word) w.word, w.folded
      from search_word w
      where w.organization_id = q."organizationId"
        and w.folded >= q.beginning collate "C" and w.folded < (q.beginning || chr(1114111)) collate "C"
        and (w.folded = q.folded collate "C" or (q."isPrefix" and starts_with(w.folded, q.folded))
          or ts_lexize(q.dictionary::regdictionary, w.word) = array[q.stem])
      order by w.folded <> q.folded, length(w.folded), w.folded, w.word
      limit ${sql.lit(MAX_FORMS)}) f`.execute(db);
  return rows;
}

const MIN_BEGINNING = 3;

/** The common prefix of a word and its stem, less one letter that suffixes can change (`policy` and `policies`). */
function beginningOf({ folded, stem }: Lookup): string {
  if (stem === null) return folded;
  const other = fold(stem);
  let common = 0;
  while (common < folded.length && folded[common] === other[common]) common++;
  return folded.slice(0, Math.max(Math.min(common, other.length - 1), Math.min(MIN_BEGINNING, common)));
}
