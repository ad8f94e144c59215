import { Migration } from '@mikro-orm/migrations';

/** Git synchronization of spaces. */
export class GitSync extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "git_sync" (
      "space_id" text not null,
      "organization_id" text not null,
      "provider" text not null,
      "repository_url" text not null,
      "url" text null,
      "ref" text not null,
      "project_directory" text not null,
      "tree_url" text null,
      "commit_oid" text not null,
      "base_revision_id" text not null,
      "branch_revision_id" text not null,
      "conflict_change_request_id" text null,
      "conflict_keys" json not null,
      "operation_at" timestamptz(3) not null,
      "updated_at" timestamptz(3) not null default now(), primary key ("space_id"))`);
    this.addSql(`create table if not exists "git_file" (
      "space_id" text not null,
      "path" text not null,
      "organization_id" text not null,
      "kind" text not null,
      "target_id" text not null,
      "oid" text null,
      "sketch" bytea null, primary key ("space_id", "path"))`);
    this.addSql(`create index if not exists "git_file_target_index" on "git_file" ("space_id", "target_id")`);
    this.addSql(`create table if not exists "git_run" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "direction" text not null,
      "status" text not null default 'pending',
      "repository_url" text not null,
      "credentials" bytea null,
      "ref" text not null,
      "project_directory" text not null,
      "tree_url" text null,
      "commit_url" text null,
      "commit_message" text null,
      "provider" text null,
      "info_url" text null,
      "force" boolean not null default false,
      "standalone" boolean not null default false,
      "operation_at" timestamptz(3) not null,
      "reason" text null,
      "created_by" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "started_at" timestamptz(3) null,
      "completed_at" timestamptz(3) null,
      "files_read" int not null default 0,
      "pages_read" int not null default 0,
      "files_changed" int not null default 0,
      "kept_count" int not null default 0,
      "changed_count" int not null default 0,
      "dropped_count" int not null default 0,
      "report" json null,
      "log" json null,
      "pushing" json null,
      "revision_id" text null,
      "commit_oid" text null,
      "change_request_id" text null, primary key ("id"))`);
    this.addSql(`create index if not exists "git_run_space_index" on "git_run" ("space_id", "created_at", "id")`);
    this.addSql(`create index if not exists "git_run_status_index" on "git_run" ("status", "updated_at")`);
  }
}
