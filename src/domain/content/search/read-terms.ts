import { sql } from 'kysely';
import { fold } from '../../../lib/search/fold.ts';
import { type QueryTerm, queryTerms } from '../../../lib/search/query-terms.ts';
import { isOneEdit, spellingsOf, toleratesTypo } from '../../../lib/search/spellings.ts';
import { gramsToFind } from '../../../lib/search/terms.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { dictionariesFor, readStems } from '../../store/search-index/index.ts';

/** What a query asks for, with the words of the organization that answer it. */
export interface Term extends QueryTerm {
  /** The word itself, with and without accents. */
  exact: string[];
  /** Those, words of the same stem, and for a last word of three letters those that begin with it. */
  forms: string[];
  /** What a run is found by; all must be there. */
  grams: string[];
}

/** Words that stand in for one of a query, at most. */
const MAX_FORMS = 25;

/** A single letter begins too many words, and two letters too many of those in bodies. */
const MIN_PREFIX = 2;
const MIN_PREFIX_IN_BODIES = 3;

/** What a query asks for in spaces of these languages. Without stop words, unless it consists of them. */
export async function readTerms(
  db: Database,
  organizationId: string,
  query: string,
  languages: readonly (string | null)[],
): Promise<Term[]> {
  const asked = await stemmed(db, queryTerms(query), languages);
  const telling = asked.filter(({ isStopWord }) => !isStopWord);
  const terms = telling.length > 0 ? telling : asked;
  const found = Map.groupBy(await readForms(db, organizationId, terms.flatMap(lookupsOf)), ({ place }) => place);
  return terms.map(({ term }, place) => {
    const words = found.get(place) ?? [];
    const exact = words.filter(({ folded }) => folded === term.folded);
    return {
      ...term,
      exact: [...new Set(exact.map(({ word }) => word))],
      forms: [...new Set(words.map(({ word }) => word))],
      grams: term.isRun ? gramsToFind(term.text) : [],
    };
  });
}

interface Stemmed {
  term: QueryTerm;
  /** By stemmer. */
  stems: { dictionary: string; stem: string }[];
  isStopWord: boolean;
}

async function stemmed(
  db: Database,
  terms: readonly QueryTerm[],
  languages: readonly (string | null)[],
): Promise<Stemmed[]> {
  const dictionaries = terms.map(({ text, isRun }) => (isRun ? [] : dictionariesFor(text, languages)));
  const wanted = terms.flatMap(({ text: word }, place) =>
    (dictionaries[place] ?? []).map((dictionary) => ({ dictionary, word })),
  );
  const stemOf = await readStems(db, wanted);
  return terms.map((term, place) => {
    const stems = (dictionaries[place] ?? []).map((dictionary) => {
      const stem = stemOf({ dictionary, word: term.text }) ?? '';
      return { dictionary, stem };
    });
    return { term, stems, isStopWord: stems.some(({ stem }) => stem === '') };
  });
}

function lookupsOf({ term, stems }: Stemmed, place: number): Lookup[] {
  if (term.isRun) return [];
  const plain: Lookup = {
    place,
    folded: term.folded,
    isPrefix: isPrefix(term, MIN_PREFIX_IN_BODIES),
    dictionary: null,
    stem: null,
  };
  const known = stems.filter(({ stem }) => stem !== '');
  if (known.length === 0) return [plain];
  return known.map(({ dictionary, stem }) => ({ ...plain, dictionary: `pg_catalog.${dictionary}`, stem }));
}

/** The terms with the words that a typo may have been meant for, among their forms. */
export async function withTypos(db: Database, organizationId: string, terms: readonly Term[]): Promise<Term[]> {
  const doubtful = terms.filter(({ isRun, folded }) => !isRun && toleratesTypo(folded));
  const spellings = doubtful.flatMap(({ folded }) => spellingsOf(folded, organizationId));
  if (spellings.length === 0) return [...terms];
  const { rows } = await sql<{ word: string; folded: string }>`
    select distinct w.word, w.folded from search_word w
    where w.organization_id = ${organizationId} and w.spellings && ${spellings}::int[]
    order by w.folded, w.word limit 500`.execute(db);
  return terms.map((term) => {
    if (!doubtful.includes(term)) return term;
    const meant = rows.filter(({ folded }) => isOneEdit(folded, term.folded)).map(({ word }) => word);
    return { ...term, forms: [...new Set([...term.forms, ...meant.slice(0, MAX_FORMS)])] };
  });
}

/** Whether a term stands for words that begin with it. */
export const isPrefix = ({ isLast, isRun, folded }: QueryTerm, letters = MIN_PREFIX) =>
  isLast && !isRun && folded.length >= letters;

interface Lookup {
  place: number;
  folded: string;
  isPrefix: boolean;
  dictionary: string | null;
  stem: string | null;
}

/**
 * Words with the stem, or the beginning, or the letters of each lookup. A stem and its words begin alike, so that only words
 * of that beginning are stemmed; the index is in that order.
 */
async function readForms(db: Database, organizationId: string, lookups: readonly Lookup[]) {
  if (lookups.length === 0) return [];
  const given = lookups.map((lookup) => ({ ...lookup, beginning: beginningOf(lookup) }));
  const { rows } = await sql<{ place: number; word: string; folded: string }>`
    select q.place, f.word, f.folded
    from json_to_recordset(${JSON.stringify(given)}::json)
      as q(place int, folded text, "isPrefix" boolean, dictionary text, stem text, beginning text)
    cross join lateral (
      select distinct on (w.folded <> q.folded, length(w.folded), w.folded, w.word) w.word, w.folded
      from search_word w
      where w.organization_id = ${organizationId}
        and w.folded >= q.beginning collate "C" and w.folded < (q.beginning || chr(1114111)) collate "C"
        and (w.folded = q.folded collate "C" or (q."isPrefix" and starts_with(w.folded, q.folded))
          or ts_lexize(q.dictionary::regdictionary, w.word) = array[q.stem])
      order by w.folded <> q.folded, length(w.folded), w.folded, w.word
      limit ${sql.lit(MAX_FORMS)}) f`.execute(db);
  return rows;
}

const MIN_BEGINNING = 3;

/** What a word and its stem have in common, and a letter less, as endings change it (`policy` and `policies`). */
function beginningOf({ folded, stem }: Lookup): string {
  if (stem === null) return folded;
  const other = fold(stem);
  let common = 0;
  while (common < folded.length && folded[common] === other[common]) common++;
  return folded.slice(0, Math.max(Math.min(common, other.length - 1), Math.min(MIN_BEGINNING, common)));
}
