import { Migration } from '@mikro-orm/migrations';
import { FIRST_PLACE, indexMissing, type PagePlace } from '../src/domain/store/search-index/index-missing.ts';
import type { Database, Tables } from '../src/platform/database/tables.ts';

/** What search reads: entries under the hash of what they were made from, pages that have them, and all their words. */
export class Search extends Migration {
  override async up(): Promise<void> {
    for (const statement of TABLES) await this.execute(statement);
    if ((await this.execute('select from "head_page" limit 1')).length > 0) await this.#indexPages();
    for (const statement of INDEXES) await this.execute(statement);
  }

  /** The same work as whenever a page changes. */
  async #indexPages(): Promise<void> {
    const db = this.getEntityManager().getKysely<Tables>() as Database;
    for (let place: PagePlace | undefined = FIRST_PLACE; place; ) place = await indexMissing(db, place);
  }
}

const TABLES = [
  `create table "search_entry" (
    "id" bigserial primary key,
    "organization_id" text not null,
    "hash" bytea not null,
    "words" tsvector not null,
    "length" int not null)`,
  `alter table "search_entry" add constraint "search_entry_hash_unique" unique ("organization_id", "hash")`,
  // The index answers; the terms themselves are read by nobody, and out of the way of those who read rows.
  `alter table "search_entry" set (toast_tuple_target = 128)`,
  `create table "search_page" (
    "space_id" text not null,
    "page_id" text not null,
    "organization_id" text not null,
    "entry_id" bigint not null,
    "node_hash" bytea not null,
    "no_index" boolean not null default false,
    "version" smallint not null, primary key ("space_id", "page_id"))`,
  `create table "search_source" (
    "space_id" text not null,
    "source_id" text not null, primary key ("space_id", "source_id"))`,
  `create table "search_word" (
    "id" bigserial primary key,
    "organization_id" text not null,
    "word" text collate "C" not null,
    "folded" text collate "C" not null,
    "spellings" int[] not null)`,
  `create index "search_word_folded_index" on "search_word" ("organization_id", "folded", "word")`,
];

/** Built over what is there in one go. */
const INDEXES = [
  `create index "search_entry_words_index" on "search_entry" using gin ("words") with (fastupdate = off)`,
  `create index "search_page_entry_index" on "search_page" ("entry_id", "space_id", "page_id", "no_index")`,
  `create index "search_word_spellings_index" on "search_word" using gin ("spellings") with (fastupdate = off)`,
];
