import { defineEntity, p } from '@mikro-orm/core';
import { flag, hash, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/**
 * The search terms of a page, by the hash of its space, title, description and body. Duplicates of a space share
 * entries until they diverge. Entries are immutable, and deleted when pages no longer use them.
 */
export const SearchEntry = defineEntity({
  name: 'SearchEntry',
  tableName: 'search_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: text(),
    hash: hash(),
    /**
     * The terms, each prefixed by the key of its organization and the letter of its field (`lexeme.ts`), and the space.
     * Terms of the field for the whole page have positions, labelled by part: title, heading, description, body.
     */
    words: p.string().columnType('tsvector'),
    /** Number of words of the page. Among equal matches, shorter pages rank higher. */
    length: p.integer(),
    organization: reference('Organization', 'organization_id'),
  },
  uniques: [{ name: 'search_entry_hash_unique', properties: ['organizationId', 'hash'] }],
  indexes: [
    {
      // Without a pending list, searches and writes have predictable times.
      name: 'search_entry_words_index',
      expression: `create index "search_entry_words_index" on "search_entry" using gin ("words") with (fastupdate = off)`,
    },
  ],
});

/** The search entry of each page in the primary content of a space. Updated with the head projection. */
export const SearchPage = defineEntity({
  name: 'SearchPage',
  tableName: 'search_page',
  properties: {
    spaceId: text().primary(),
    pageId: text().primary(),
    organizationId: text(),
    entryId: p.bigint('number'),
    /** The node that the entry was created from. The entry is up to date while the page still has this node. */
    nodeHash: hash(),
    /** Excluded from the search of published sites. */
    noIndex: flag(false),
    /** Version of the rules that the entry was created with. */
    version: p.smallint(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'search_page_entry_index', properties: ['entryId', 'spaceId', 'pageId', 'noIndex'] }],
});

/** The spaces that a space was copied from. Its pages may use entries of these spaces. */
export const SearchSource = defineEntity({
  name: 'SearchSource',
  tableName: 'search_source',
  properties: {
    spaceId: text().primary(),
    sourceId: text().primary(),
    space: reference('Space', 'space_id'),
  },
});

/**
 * The words of an organization's pages, including former ones, to look up the stems, prefixes and typos of a query. Two
 * transactions that insert the same word at the same time may insert it twice.
 */
export const SearchWord = defineEntity({
  name: 'SearchWord',
  tableName: 'search_word',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: text(),
    word: text().collation('C'),
    /** Without diacritics. */
    folded: text().collation('C'),
    /** Numbers that similar spellings share. */
    spellings: p.array().columnType('int[]').$type<number[]>(),
    organization: reference('Organization', 'organization_id'),
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
