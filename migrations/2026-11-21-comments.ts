import { Migration } from '@mikro-orm/migrations';

/** Comments, the replies to them, and the emoji under both. */
export class Comments extends Migration {
  override up(): void {
    this.addSql(`create table "comment" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "change_request_id" text null,
      "body" json not null,
      "markdown" text not null,
      "posted_by" text not null,
      "posted_at" timestamptz(3) not null default now(),
      "edited_at" timestamptz(3) null,
      "revision_id" text not null,
      "review_id" text null,
      "page_id" text null,
      "node_id" text null,
      "table_record" text null,
      "table_definition" text null,
      "resolved_at" timestamptz(3) null,
      "resolved_by" text null, primary key ("id"))`);
    this.addSql(
      `create index "comment_space_index" on "comment" ("space_id", "posted_at", "id") where "change_request_id" is null`,
    );
    this.addSql(
      `create index "comment_change_request_index" on "comment" ("change_request_id", "posted_at", "id") where "change_request_id" is not null`,
    );
    this.addSql(
      `create index "comment_page_index" on "comment" ("space_id", "page_id", "posted_at", "id") where "page_id" is not null`,
    );
    this.addSql(
      `create index "comment_open_index" on "comment" ("space_id", "change_request_id") where "resolved_at" is null`,
    );
    this.addSql(`create index "comment_author_index" on "comment" ("space_id", "change_request_id", "posted_by")`);
    this.addSql(`create table "comment_reply" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "change_request_id" text null,
      "body" json not null,
      "markdown" text not null,
      "posted_by" text not null,
      "posted_at" timestamptz(3) not null default now(),
      "edited_at" timestamptz(3) null,
      "comment_id" text not null, primary key ("id"))`);
    this.addSql(`create index "comment_reply_comment_index" on "comment_reply" ("comment_id", "posted_at", "id")`);
    this.addSql(
      `create index "comment_reply_author_index" on "comment_reply" ("space_id", "change_request_id", "posted_by")`,
    );
    this.addSql(`create table "comment_reaction" (
      "subject_id" text not null,
      "code" text not null,
      "user_id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "emoji" text not null,
      "reacted_at" timestamptz(3) not null default now(), primary key ("subject_id", "code", "user_id"))`);
    this.addSql(`create index "comment_reaction_space_index" on "comment_reaction" ("space_id")`);
  }
}
