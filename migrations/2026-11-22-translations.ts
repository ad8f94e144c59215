import { Migration } from '@mikro-orm/migrations';

/** Translations of spaces, their memory, the edits of people in them, providers and glossaries. */
export class Translations extends Migration {
  override up(): void {
    this.addSql(`create table "translation" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "source_language" text not null,
      "language" text not null,
      "instructions" json null,
      "translated_space_id" text not null,
      "status" text not null default 'pending',
      "former_status" text not null default 'pending',
      "run_number" int not null default 1,
      "source_revision_id" text null,
      "computed_revision_id" text not null,
      "result_revision_id" text null,
      "pages_total" int not null default 0,
      "pages_done" int not null default 0,
      "runs" int not null default 0,
      "total_words" int not null default 0,
      "total_pages" int not null default 0,
      "total_duration" int not null default 0,
      "latest_run_duration" int not null default 0,
      "latest_pages" int not null default 0,
      "latest_words" int not null default 0,
      "latest_segments" int not null default 0,
      "latest_sent_segments" int not null default 0,
      "latest_sent_characters" int not null default 0,
      "untranslated_segments" int not null default 0,
      "provider" text null,
      "last_error" text null,
      "started_at" timestamptz(3) null,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(
      `create index "translation_organization_index" on "translation" ("organization_id", "created_at", "id")`,
    );
    this.addSql(`create index "translation_space_index" on "translation" ("space_id")`);
    this.addSql(`create index "translation_translated_space_index" on "translation" ("translated_space_id")`);
    this.addSql(`create index "translation_status_index" on "translation" ("status", "updated_at")`);
    this.addSql(`create table "translation_page" (
      "translation_id" text not null,
      "page_id" text not null,
      "organization_id" text not null,
      "input_hash" bytea not null,
      "fields" json not null,
      "source_document_hash" bytea null,
      "document_hash" bytea null,
      "segments" int not null default 0,
      "untranslated_segments" int not null default 0, primary key ("translation_id", "page_id"))`);
    this.addSql(`create table "translation_memory" (
      "organization_id" text not null,
      "key" bytea not null,
      "translation" text not null,
      "created_at" timestamptz(3) not null default now(), primary key ("organization_id", "key"))`);
    this.addSql(`create table "translation_edit" (
      "id" text not null,
      "organization_id" text not null,
      "translation_id" text not null,
      "page_id" text not null,
      "line" text not null,
      "segment" int null,
      "source" text not null,
      "nodes" json not null,
      "translation" text not null,
      "needs_review" boolean not null default false,
      "new_source" text null,
      "new_translation" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(
      `create index "translation_edit_page_index" on "translation_edit" ("translation_id", "needs_review", "page_id", "id")`,
    );
    this.addSql(`create table "translation_provider" (
      "organization_id" text not null,
      "kind" text not null,
      "url" text null,
      "model" text null,
      "api_key" bytea null,
      "character_limit" int null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("organization_id"))`);
    this.addSql(`create table "translation_usage" (
      "organization_id" text not null,
      "month" text not null,
      "requests" int not null default 0,
      "segments" int not null default 0,
      "characters" int not null default 0, primary key ("organization_id", "month"))`);
    this.addSql(`create table "glossary_entry" (
      "id" text not null,
      "organization_id" text not null,
      "translations" json not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(
      `create index "glossary_entry_organization_index" on "glossary_entry" ("organization_id", "created_at", "id")`,
    );
  }
}
