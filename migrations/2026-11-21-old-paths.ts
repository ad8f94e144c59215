import { Migration } from '@mikro-orm/migrations';

/** Paths that pages had before, and the history of a space. */
export class OldPaths extends Migration {
  override up(): void {
    this.addSql(`create table "old_slug" (
      "space_id" text not null,
      "parent_id" text not null,
      "slug" text not null,
      "organization_id" text not null,
      "page_id" text not null,
      "changed_at" timestamptz(3) not null default now(), primary key ("space_id", "parent_id", "slug"))`);
    this.addSql(`alter table "revision" add column "summary" json null`);
    this.addSql(
      `create index "revision_history_index" on "revision" ("space_id", "created_at", "id") where "change_request_id" is null`,
    );
  }
}
