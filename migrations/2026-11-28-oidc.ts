import { Migration } from '@mikro-orm/migrations';

/** OIDC providers of organizations and of the whole service, and the sessions at them that can end. */
export class Oidc extends Migration {
  override up(): void {
    this.addSql(`alter table "saml_provider" add column if not exists "protocol" text not null default 'saml',
      add column if not exists "issuer" text null,
      add column if not exists "client_id" text null,
      add column if not exists "client_secret" bytea null,
      add column if not exists "groups_claim" text null,
      add column if not exists "group_teams" json null`);
    this.addSql(`alter table "saml_request" add column if not exists "provider_session" json null`);
    this.addSql(`alter table "team_member" add column if not exists "is_claimed" boolean not null default false`);
    this.addSql(`alter table "session" add column if not exists "provider_issuer" text null,
      add column if not exists "provider_subject" text null,
      add column if not exists "provider_sid" text null`);
    this.addSql(`create index if not exists "session_provider_subject_index" on "session" ("provider_subject")`);
    this.addSql(`create index if not exists "session_provider_sid_index" on "session" ("provider_sid")`);
    this.addSql(`create table if not exists "oidc_logout_token" (
      "provider_id" text not null,
      "jti_hash" bytea not null,
      "expires_at" timestamptz(3) not null, primary key ("provider_id", "jti_hash"))`);
    this.addSql(`create index if not exists "oidc_logout_token_expiry_index" on "oidc_logout_token" ("expires_at")`);
    this.addSql(`create table if not exists "oidc_request" (
      "id" text not null,
      "browser_hash" bytea not null,
      "return_to" text not null,
      "expires_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index if not exists "oidc_request_expiry_index" on "oidc_request" ("expires_at")`);
    this.addSql(`create table if not exists "oidc_identity" (
      "issuer" text not null,
      "subject" text not null,
      "user_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      "last_used_at" timestamptz(3) not null, primary key ("issuer", "subject"))`);
    this.addSql(`create index if not exists "oidc_identity_user_index" on "oidc_identity" ("user_id")`);
  }
}
