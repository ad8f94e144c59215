import { Migration } from '@mikro-orm/migrations';

/** SCIM tokens of organizations, and the attributes of members and teams that SCIM manages. */
export class Scim extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "scim_token" (
      "id" text not null,
      "organization_id" text not null,
      "label" text not null,
      "secret_hash" bytea not null,
      "expires_at" timestamptz(3) null,
      "last_used_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create unique index if not exists "scim_token_secret_unique" on "scim_token" ("secret_hash")`);
    this.addSql(
      `create index if not exists "scim_token_organization_index" on "scim_token" ("organization_id", "created_at", "id")`,
    );
    this.addSql(`create table if not exists "scim_user" (
      "organization_id" text not null,
      "user_id" text not null,
      "user_name" text not null,
      "external_id" text null,
      "profile" jsonb not null,
      "has_disabled" boolean not null default false,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("organization_id", "user_id"))`);
    this.addSql(
      `create unique index if not exists "scim_user_name_unique" on "scim_user" ("organization_id", lower("user_name"))`,
    );
    this.addSql(`create table if not exists "scim_group" (
      "team_id" text not null,
      "organization_id" text not null,
      "external_id" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("team_id"))`);
  }
}
