import { conceptsOf } from '../../../lib/grouping/concepts.ts';
import { languageOf } from '../../../lib/grouping/language.ts';
import { gramsToFind } from '../../../lib/search/terms.ts';
import { type SearchToken, searchTokens } from '../../../lib/search/tokens.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { dictionariesFor, readStems } from '../../store/search-index/index.ts';

export interface QuestionTerms {
  /** ISO 639-1. Null if it is not known. */
  language: string | null;
  /** Stems of the words in their order, without stop words and numbers, separated by spaces. */
  terms: string;
  /** The word of each term as it was written, in lower case. */
  words: string;
  /** Concepts that the question mentions, in any words, separated by spaces. */
  concepts: string;
}

/** Terms of a question that are compared. */
const MAX_TERMS = 300;

/** Marks that redaction leaves. */
const PLACEHOLDERS = /\[(?:email|phone|token|card)\]/g;

/** The languages and terms of texts. Only stems that are not cached are read from the database, in one statement. */
export async function termsOfQuestions(db: Database, texts: readonly string[]): Promise<QuestionTerms[]> {
  const pause = makeYielder();
  const read: { language: string | null; tokens: SearchToken[] }[] = [];
  const lookups = new Map<string, { dictionary: string; word: string }>();
  for (const text of texts) {
    const language = languageOf(text);
    const tokens = searchTokens(text.replace(PLACEHOLDERS, ' '));
    for (const { text: word, isRun } of tokens) {
      const [dictionary] = isRun ? [] : dictionariesFor(word, [language]);
      if (dictionary !== undefined) lookups.set(`${dictionary} ${word}`, { dictionary, word });
    }
    read.push({ language, tokens });
    await pause();
  }
  const stemOf = await readStems(db, [...lookups.values()]);
  return read.map(({ language, tokens }) => {
    const terms = tokens.flatMap((token) => termsOf(token, language, stemOf)).slice(0, MAX_TERMS);
    return {
      language,
      terms: terms.map(({ term }) => term).join(' '),
      words: terms.map(({ word }) => word).join(' '),
      concepts: conceptsOf(tokens).slice(0, MAX_TERMS).join(' '),
    };
  });
}

/** The stem of a word, or the pairs of characters of a run; nothing for stop words and numbers. */
function termsOf(
  { text: word, isRun }: SearchToken,
  language: string | null,
  stemOf: Awaited<ReturnType<typeof readStems>>,
): { term: string; word: string }[] {
  if (isRun) return gramsToFind(word, { isOrdered: true }).map((gram) => ({ term: gram, word: gram }));
  if (/^\p{N}+$/u.test(word)) return [];
  const [dictionary] = dictionariesFor(word, [language]);
  const stem = dictionary === undefined ? word : (stemOf({ dictionary, word }) ?? word);
  return stem.length > 1 ? [{ term: stem, word }] : [];
}
