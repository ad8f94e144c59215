import { Migration } from '@mikro-orm/migrations';

/** The Markdown that bodies were written as. */
export class SourceText extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "source_text" ("organization_id" text not null, "hash" bytea not null, "head" text not null, "body" text not null, "document" text not null, "links" json not null, "created_at" timestamptz(3) not null default now(), constraint "source_text_pkey" primary key ("organization_id", "hash"))`,
    );
    this.addSql(`alter table "page_node" add column if not exists "source_hash" bytea null`);
  }
}
