import { Migration } from '@mikro-orm/migrations';

/** Reviews of change requests, and whom they were offered to. */
export class Reviews extends Migration {
  override up(): void {
    this.addSql(`create table "review" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "change_request_id" text not null,
      "revision_id" text not null,
      "reviewer_id" text not null,
      "requested_by" text null,
      "status" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "review_change_request_index" on "review" ("change_request_id", "created_at", "id")`);
    this.addSql(`create index "review_space_index" on "review" ("space_id")`);
    this.addSql(
      `alter table "review" add constraint "review_verdict_unique" unique ("change_request_id", "reviewer_id", "revision_id")`,
    );
    this.addSql(`create table "requested_reviewer" (
      "change_request_id" text not null,
      "user_id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "revision_id" text not null,
      "requested_by" text not null,
      "created_at" timestamptz(3) not null default now(), primary key ("change_request_id", "user_id"))`);
    this.addSql(
      `create index "requested_reviewer_user_index" on "requested_reviewer" ("user_id", "change_request_id")`,
    );
    this.addSql(`create index "requested_reviewer_space_index" on "requested_reviewer" ("space_id")`);
  }
}
