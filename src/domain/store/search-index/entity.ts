import { defineEntity, p } from '@mikro-orm/core';
import { flag, hash, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * What a page is found by, under the hash of its space, title, description and body: a space's duplicates share it until
 * they differ. Written once, and removed when no page has it any more.
 */
export const SearchEntry = defineEntity({
  name: 'SearchEntry',
  tableName: 'search_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: text(),
    hash: hash(),
    /** Terms, each behind the key of its organization and the letter of its field (`lexeme.ts`), and the space. */
    words: p.string().columnType('tsvector'),
    /** How many words the page has: of two pages that match alike, the shorter one says it more clearly. */
    length: p.integer(),
  },
  uniques: [{ name: 'search_entry_hash_unique', properties: ['organizationId', 'hash'] }],
  indexes: [
    {
      // Without a list of what is yet to be sorted in, every search takes the same time, and so does every write.
      name: 'search_entry_words_index',
      expression: `create index "search_entry_words_index" on "search_entry" using gin ("words") with (fastupdate = off)`,
    },
  ],
});

/** Which page of a space's primary content has which entry. Brought up to date with the head projection. */
export const SearchPage = defineEntity({
  name: 'SearchPage',
  tableName: 'search_page',
  properties: {
    spaceId: text().primary(),
    pageId: text().primary(),
    organizationId: text(),
    entryId: p.bigint('number'),
    /** The node that the entry was made from: while the page has it, there is nothing to do. */
    nodeHash: hash(),
    /** Left out of what readers of a published site find. */
    noIndex: flag(false),
    /** Of the rules that the entry was made by. */
    version: p.smallint(),
  },
  indexes: [{ name: 'search_page_entry_index', properties: ['entryId', 'spaceId', 'pageId', 'noIndex'] }],
});

/** The spaces that a space was copied from: its pages may have entries of theirs. */
export const SearchSource = defineEntity({
  name: 'SearchSource',
  tableName: 'search_source',
  properties: {
    spaceId: text().primary(),
    sourceId: text().primary(),
  },
});

/**
 * The words of an organization's pages, past ones included: what stems, beginnings and typos of a query are looked up
 * in. A word may be there twice when two transactions brought it at once.
 */
export const SearchWord = defineEntity({
  name: 'SearchWord',
  tableName: 'search_word',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: text(),
    word: text().collation('C'),
    /** Without accents. */
    folded: text().collation('C'),
    /** Numbers that near spellings have in common. */
    spellings: p.array().columnType('int[]').$type<number[]>(),
  },
  indexes: [
    { name: 'search_word_folded_index', properties: ['organizationId', 'folded', 'word'] },
    {
      name: 'search_word_spellings_index',
      expression: `create index "search_word_spellings_index" on "search_word" using gin ("spellings") with (fastupdate = off)`,
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    search_entry: Table<typeof SearchEntry>;
    search_page: Table<typeof SearchPage>;
    search_source: Table<typeof SearchSource>;
    search_word: Table<typeof SearchWord>;
  }
}
