import { Migration } from '@mikro-orm/migrations';

/** Anchors of documents, and the version of the rules that what is derived from a body follows. A job derives it anew. */
export class DerivedVersion extends Migration {
  override up(): void {
    this.addSql(`alter table "document" add column if not exists "anchors" text[] not null default '{}'`);
    this.addSql(`alter table "document" add column if not exists "derived_version" int not null default 0`);
    this.addSql(`create index if not exists "document_derived_version_index" on "document" ("derived_version")`);
  }
}
