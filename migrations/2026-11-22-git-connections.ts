import { Migration } from '@mikro-orm/migrations';

/** Standing connections of spaces to Git branches. */
export class GitConnections extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "git_connection" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "provider" text not null,
      "repository_url" text not null,
      "credentials" bytea null,
      "ref" text not null,
      "project_directory" text not null,
      "tree_url" text null,
      "commit_url" text null,
      "api_url" text null,
      "commit_message" text not null,
      "initial_side" text not null,
      "imports_pull_requests" boolean not null default true,
      "hook_secret" bytea not null,
      "state" text not null default 'pending',
      "state_detail" text null,
      "state_since" timestamptz(3) not null default now(),
      "is_paused" boolean not null default false,
      "synced_revision_id" text null,
      "proposal_ref" text null,
      "pull_request_url" text null,
      "kept_revision_id" text null,
      "kept_commit_oid" text null,
      "failure_streak" int not null default 0,
      "wanted_at" timestamptz(3) null,
      "polled_at" timestamptz(3) null,
      "hook_seen_at" timestamptz(3) null,
      "user_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"), constraint "git_connection_space_unique" unique ("space_id"))`);
    this.addSql(
      `create index if not exists "git_connection_organization_index" on "git_connection" ("organization_id", "id")`,
    );
    this.addSql(`create index if not exists "git_connection_poll_index" on "git_connection" ("polled_at", "id")`);
    this.addSql(`alter table "git_run"
      add column if not exists "connection_id" text null,
      add column if not exists "is_dry_run" boolean not null default false,
      add column if not exists "preview" json null,
      add column if not exists "pull_number" int null`);
  }
}
