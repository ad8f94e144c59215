import { Migration } from '@mikro-orm/migrations';

/** The collector of unreachable content: its marks, and the indexes that it looks by. */
export class Retention extends Migration {
  override up(): void {
    this.addSql(`create unlogged table "content_mark" (
      "run_id" text not null,
      "kind" text not null,
      "hash" bytea not null,
      "is_expanded" boolean not null default false, primary key ("run_id", "kind", "hash"))`);
    this.addSql(`create index "content_mark_open_index" on "content_mark" ("run_id") where not "is_expanded"`);
    this.addSql(`create index "revision_organization_index" on "revision" ("organization_id", "id")`);
    this.addSql(`create index "blob_hash_index" on "blob" ("hash")`);
    this.addSql(`create index "upload_blob_index" on "upload" ("blob_hash")`);
  }
}
