import { Migration } from '@mikro-orm/migrations';

/** The projection of the reusable contents of each space's head. */
export class ReusableContents extends Migration {
  override up(): void {
    this.addSql(`create table "head_reusable_content" (
      "space_id" text not null,
      "reusable_content_id" text collate "C" not null,
      "organization_id" text not null,
      "title" text not null,
      "document_hash" bytea null, primary key ("space_id", "reusable_content_id"))`);
    this.addSql(`create index "head_reusable_content_document_index" on "head_reusable_content"
      ("organization_id", "document_hash")`);
  }
}
