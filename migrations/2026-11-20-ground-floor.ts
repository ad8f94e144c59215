import { Migration } from '@mikro-orm/migrations';

/** The first tables: people and access, spaces and collections, content, change requests, uploads. */
export class GroundFloor extends Migration {
  override up(): void {
    this.addSql(`create extension if not exists pg_trgm`);
    this.addSql(`create extension if not exists unaccent`);
    this.addSql(`create type "role" as enum ('none', 'read', 'comment', 'edit', 'review', 'create', 'admin')`);
    this.addSql(`create table "api_token" (
      "id" text not null,
      "user_id" text not null,
      "label" text not null,
      "secret_hash" bytea not null,
      "expires_at" timestamptz(3) null,
      "last_used_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "api_token_user_index" on "api_token" ("user_id",
      "created_at",
      "id")`);
    this.addSql(`alter table "api_token" add constraint "api_token_secret_hash_unique" unique ("secret_hash")`);
    this.addSql(`create table "blob" (
      "organization_id" text not null,
      "hash" bytea not null,
      "size" bigint not null,
      "content_type" text not null,
      "width" int null,
      "height" int null,
      "created_at" timestamptz(3) not null default now(), primary key ("organization_id",
      "hash"))`);
    this.addSql(`create table "change_request" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "number" int not null,
      "status" text not null default 'draft',
      "subject" text not null default '',
      "description" json null,
      "revision_id" text not null,
      "revision_initial_id" text not null,
      "revision_merged_ancestor_id" text null,
      "revision_merged_id" text null,
      "merged_at" timestamptz(3) null,
      "merged_by" text null,
      "agent_task_id" text null,
      "issues_cluster_id" text null,
      "created_by" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "change_request_space_index" on "change_request" ("space_id",
      "status",
      "updated_at",
      "id")`);
    this.addSql(`create index "change_request_updated_index" on "change_request" ("space_id",
      "updated_at",
      "id")`);
    this.addSql(`create index "change_request_organization_index" on "change_request" ("organization_id",
      "status",
      "updated_at",
      "id")`);
    this.addSql(`create index "change_request_organization_updated_index" on "change_request" ("organization_id",
      "updated_at",
      "id")`);
    this.addSql(`alter table "change_request" add constraint "change_request_number_unique" unique ("space_id",
      "number")`);
    this.addSql(
      `alter table "change_request" add constraint "change_request_status_check" check ("status" in ('draft', 'open', 'archived', 'merged'))`,
    );
    this.addSql(`create table "collection" (
      "id" text not null,
      "organization_id" text not null,
      "title" text not null,
      "description" text not null default '',
      "default_level" "role" null,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "collection_organization_index" on "collection" ("organization_id",
      "created_at",
      "id")`);
    this.addSql(`create table "document" (
      "organization_id" text not null,
      "hash" bytea not null,
      "body" json not null,
      "markdown" text not null,
      "created_at" timestamptz(3) not null default now(), primary key ("organization_id",
      "hash"))`);
    this.addSql(`create table "document_reference" (
      "organization_id" text not null,
      "document_hash" bytea not null,
      "position" int not null,
      "kind" text not null,
      "relation" text not null default 'reference',
      "target_id" text null,
      "target_space_id" text null,
      "block_key" text null,
      "ref" json not null, primary key ("organization_id",
      "document_hash",
      "position"))`);
    this.addSql(`create index "document_reference_target_index" on "document_reference" ("organization_id",
      "target_id")`);
    this.addSql(
      `alter table "document_reference" add constraint "document_reference_relation_check" check ("relation" in ('reference', 'dependsOn'))`,
    );
    this.addSql(`create table "document_section" (
      "organization_id" text not null,
      "document_hash" bytea not null,
      "position" int not null,
      "anchor" text null,
      "title" text null,
      "body" text not null, primary key ("organization_id",
      "document_hash",
      "position"))`);
    this.addSql(`create table "grant" (
      "target_id" text not null,
      "grantee_id" text not null,
      "organization_id" text not null,
      "role" "role" not null,
      "created_at" timestamptz(3) not null default now(), primary key ("target_id",
      "grantee_id"))`);
    this.addSql(`create index "grant_grantee_index" on "grant" ("organization_id",
      "grantee_id",
      "target_id")`);
    this.addSql(`create table "head_file" (
      "space_id" text not null,
      "file_id" text collate "C" not null,
      "organization_id" text not null,
      "name" text not null,
      "blob_hash" bytea not null,
      "content_type" text not null,
      "size" bigint not null,
      "width" int null,
      "height" int null, primary key ("space_id",
      "file_id"))`);
    this.addSql(`create index "head_file_blob_index" on "head_file" ("organization_id",
      "blob_hash")`);
    this.addSql(`create table "head_page" (
      "space_id" text not null,
      "page_id" text not null,
      "organization_id" text not null,
      "parent_id" text null,
      "position" int not null,
      "kind" text not null,
      "title" text not null,
      "path" text null,
      "is_hidden" boolean not null default false,
      "document_hash" bytea null,
      "node_hash" bytea not null, primary key ("space_id",
      "page_id"))`);
    this.addSql(`create index "head_page_parent_index" on "head_page" ("space_id",
      "parent_id",
      "position")`);
    this.addSql(`create index "head_page_path_index" on "head_page" ("space_id", md5("path"))`);
    this.addSql(`create index "head_page_document_index" on "head_page" ("organization_id",
      "document_hash")`);
    this.addSql(
      `alter table "head_page" add constraint "head_page_kind_check" check ("kind" in ('root', 'document', 'group', 'link', 'computed'))`,
    );
    this.addSql(`create table "manifest_node" (
      "organization_id" text not null,
      "hash" bytea not null,
      "body" json not null, primary key ("organization_id",
      "hash"))`);
    this.addSql(`create table "membership" (
      "id" text not null,
      "organization_id" text not null,
      "user_id" text not null,
      "role" "role" null,
      "is_disabled" boolean not null default false,
      "is_sso" boolean not null default false,
      "joined_at" timestamptz(3) not null default now(),
      "last_seen_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(`create index "membership_user_index" on "membership" ("user_id",
      "organization_id")`);
    this.addSql(`create index "membership_joined_index" on "membership" ("organization_id",
      "joined_at",
      "id")`);
    this.addSql(`alter table "membership" add constraint "membership_organization_user_unique" unique ("organization_id",
      "user_id")`);
    this.addSql(`create table "organization" (
      "id" text not null,
      "title" text not null,
      "email_domains" text[] not null default '{}',
      "hostname" text null,
      "custom_hostname" text null,
      "type" text not null default 'business',
      "use_case" text null,
      "community_type" text null,
      "plan" text not null default 'enterprise_2024',
      "default_role" "role" null,
      "default_site_id" text null,
      "logo" text null,
      "sso" boolean not null default false,
      "ai" boolean not null default true,
      "invite_links" boolean not null default true,
      "merge_rules" jsonb not null,
      "blocked" jsonb null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`alter table "organization" add constraint "organization_hostname_unique" unique ("hostname")`);
    this.addSql(`create table "page_node" (
      "organization_id" text not null,
      "hash" bytea not null,
      "kind" text not null,
      "page_id" text null,
      "fields" json not null,
      "document_hash" bytea null,
      "children" bytea[] not null default '{}',
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "updated_by" text null, primary key ("organization_id",
      "hash"))`);
    this.addSql(
      `alter table "page_node" add constraint "page_node_kind_check" check ("kind" in ('root', 'document', 'group', 'link', 'computed'))`,
    );
    this.addSql(`create table "placement" (
      "item_id" text not null,
      "organization_id" text not null,
      "parent_id" text not null,
      "rank" text collate "C" not null, primary key ("item_id"))`);
    this.addSql(`alter table "placement" add constraint "placement_parent_rank_unique" unique ("parent_id",
      "rank")`);
    this.addSql(`create table "revision" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "type" text not null default 'edits',
      "parents" text[] not null default '{}',
      "root_hash" bytea not null,
      "files_hash" bytea null,
      "reusable_contents_hash" bytea null,
      "variables_hash" bytea null,
      "merged_from_id" text null,
      "change_request_id" text null,
      "git" jsonb null,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "revision_space_index" on "revision" ("space_id",
      "created_at",
      "id")`);
    this.addSql(`create index "revision_change_request_index" on "revision" ("change_request_id",
      "created_at",
      "id")`);
    this.addSql(
      `alter table "revision" add constraint "revision_type_check" check ("type" in ('edits', 'merge', 'rollback', 'update', 'computed'))`,
    );
    this.addSql(`create table "site" (
      "id" text not null,
      "organization_id" text not null,
      "type" text not null default 'basic',
      "title" text not null,
      "hostname" text null,
      "basename" text null,
      "visibility" text not null default 'public',
      "is_published" boolean not null default false,
      "default_level" "role" null,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "site_organization_index" on "site" ("organization_id",
      "created_at",
      "id")`);
    this.addSql(`alter table "site" add constraint "site_hostname_unique" unique ("hostname")`);
    this.addSql(`alter table "site" add constraint "site_basename_unique" unique ("organization_id",
      "basename")`);
    this.addSql(
      `alter table "site" add constraint "site_type_check" check ("type" in ('basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'))`,
    );
    this.addSql(
      `alter table "site" add constraint "site_visibility_check" check ("visibility" in ('public', 'unlisted', 'share-link', 'visitor-auth'))`,
    );
    this.addSql(`create table "site_space" (
      "id" text not null,
      "organization_id" text not null,
      "site_id" text not null,
      "space_id" text not null,
      "path" text not null,
      "title" text null,
      "rank" text collate "C" not null,
      "is_default" boolean not null default false,
      "condition" text null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "site_space_space_index" on "site_space" ("space_id",
      "site_id")`);
    this.addSql(`alter table "site_space" add constraint "site_space_path_unique" unique ("site_id",
      "path")`);
    this.addSql(`alter table "site_space" add constraint "site_space_rank_unique" unique ("site_id",
      "rank")`);
    this.addSql(`create table "space" (
      "id" text not null,
      "organization_id" text not null,
      "title" text not null,
      "emoji" text not null default '1f4d4',
      "icon" text null,
      "edit_mode" text not null default 'live',
      "merge_rules" jsonb not null,
      "language" text null,
      "default_level" "role" null,
      "revision_id" text not null,
      "latest_change_request_number" int not null default 0,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "deleted_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(`create index "space_organization_index" on "space" ("organization_id",
      "created_at",
      "id")`);
    this.addSql(`create index "space_deleted_index" on "space" ("deleted_at") where "deleted_at" is not null`);
    this.addSql(`alter table "space" add constraint "space_edit_mode_check" check ("edit_mode" in ('live', 'locked'))`);
    this.addSql(`create table "team" (
      "id" text not null,
      "organization_id" text not null,
      "title" text not null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "team_organization_index" on "team" ("organization_id",
      "title",
      "id")`);
    this.addSql(`create table "team_member" (
      "team_id" text not null,
      "user_id" text not null,
      "organization_id" text not null,
      "role" text not null default 'member',
      "added_at" timestamptz(3) not null default now(), primary key ("team_id",
      "user_id"))`);
    this.addSql(`create index "team_member_user_index" on "team_member" ("organization_id",
      "user_id",
      "team_id")`);
    this.addSql(
      `alter table "team_member" add constraint "team_member_role_check" check ("role" in ('owner', 'member'))`,
    );
    this.addSql(`create table "upload" (
      "id" text not null,
      "organization_id" text not null,
      "user_id" text not null,
      "blob_hash" bytea null,
      "name" text null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "upload_expiry_index" on "upload" ("expires_at")`);
    this.addSql(`create table "user" (
      "id" text not null,
      "email" text not null,
      "is_email_verified" boolean not null default false,
      "display_name" text not null,
      "photo_url" text null,
      "is_operator" boolean not null default false,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create unique index "user_email_unique" on "user" (lower("email"))`);
  }
}
