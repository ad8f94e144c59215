import { Migration } from '@mikro-orm/migrations';

/** Sessions, SAML providers and sign-ins, the enforcement of SSO in decisions about access, and filters of events. */
export class Sso extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "session" (
      "secret_hash" bytea not null,
      "user_id" text not null,
      "saml_provider_id" text null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) not null, primary key ("secret_hash"))`);
    this.addSql(`create index if not exists "session_expiry_index" on "session" ("expires_at")`);
    this.addSql(`alter table "api_token" add column if not exists "saml_provider_id" text null`);
    this.addSql(`create table if not exists "saml_provider" (
      "id" text not null,
      "organization_id" text not null,
      "label" text not null,
      "sso_url" text null,
      "entity_id" text null,
      "certificate" text null,
      "default_team_id" text null,
      "default_role" role null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "version" int not null default 1, primary key ("id"))`);
    this.addSql(
      `create index if not exists "saml_provider_organization_index" on "saml_provider" ("organization_id", "created_at", "id")`,
    );
    this.addSql(`create table if not exists "saml_request" (
      "id" text not null,
      "organization_id" text not null,
      "saml_provider_id" text not null,
      "browser_hash" bytea not null,
      "return_to" text not null,
      "user_id" text null,
      "code_hash" bytea null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index if not exists "saml_request_code_index" on "saml_request" ("code_hash")`);
    this.addSql(`create index if not exists "saml_request_expiry_index" on "saml_request" ("expires_at")`);
    this.addSql(
      `create or replace function "saml_provider_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "raise_version" before update on "saml_provider" for each row execute function "saml_provider_raise_version_fn"()`,
    );
    this.addSql(`alter table "membership" add column if not exists "is_break_glass" boolean not null default false`);
    this.addSql(
      `create index if not exists "event_actor_index" on "event" ("organization_id", "actor_id", "transaction_id", "id")`,
    );
    this.addSql(`create index if not exists "event_time_index" on "event" ("organization_id", "created_at")`);
    this.addSql(`create index if not exists "event_ids_index" on "event" using gin ("ids" jsonb_path_ops)`);
    this.changesAccess('organization', ['id', 'blocked', 'sso']);
    this.changesAccess('membership', ['organization_id', 'user_id', 'role', 'is_disabled', 'is_break_glass']);
  }

  /** The function of the trigger stays. It runs for changes of these columns. */
  private changesAccess(table: string, columns: string[]): void {
    const differences = columns.map((column) => `(old.${column} is distinct from new.${column})`).join(' or ');
    this.addSql(
      `create or replace trigger "access_columns" after update on "${table}" for each row when (${differences}) execute function "${table}_access_columns_fn"()`,
    );
  }
}
