import { Migration } from '@mikro-orm/migrations';

/** Invitations to organizations: by email, and by links that also lead to spaces and collections. */
export class Invites extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "email_invite" (
      "id" text not null,
      "organization_id" text not null,
      "email" text not null,
      "role" role null,
      "is_sso" boolean not null default false,
      "is_vouched" boolean not null default false,
      "secret_hash" bytea not null,
      "secret" bytea not null,
      "invited_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) not null,
      "sent_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(
      `create unique index if not exists "email_invite_email_unique" on "email_invite" ("organization_id", lower("email"))`,
    );
    this.addSql(
      `create index if not exists "email_invite_organization_index" on "email_invite" ("organization_id", "created_at", "id")`,
    );
    this.addSql(`create index if not exists "email_invite_expiry_index" on "email_invite" ("expires_at")`);
    this.addSql(`create table if not exists "link_invite" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text null,
      "collection_id" text null,
      "role" role null,
      "expires_at" timestamptz(3) null,
      "uses" int not null default 0,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "version" int not null default 1, primary key ("id"))`);
    this.addSql(
      `create index if not exists "link_invite_organization_index" on "link_invite" ("organization_id", "created_at", "id")`,
    );
    this.addSql(`create index if not exists "link_invite_space_index" on "link_invite" ("space_id")`);
    this.addSql(`create index if not exists "link_invite_collection_index" on "link_invite" ("collection_id")`);
    this.addSql(
      `create or replace function "link_invite_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "raise_version" before update on "link_invite" for each row when (old.uses = new.uses) execute function "link_invite_raise_version_fn"()`,
    );
  }
}
