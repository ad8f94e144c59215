import { Migration } from '@mikro-orm/migrations';

/** Applications that users connect with OAuth: their grants, and the records of the authorization server. */
export class OAuth extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "oauth_grant" (
      "id" text not null, "user_id" text not null, "client_id" text not null, "client_name" text not null,
      "redirect_to" text not null, "scopes" text[] not null, "resources" text[] not null,
      "created_at" timestamptz(3) not null default now(), "last_used_at" timestamptz(3) null,
      "expires_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index if not exists "oauth_grant_user_index" on "oauth_grant" ("user_id")`);
    this.addSql(`create index if not exists "oauth_grant_expiry_index" on "oauth_grant" ("expires_at")`);
    this.addSql(`create table if not exists "oauth_record" (
      "type" text not null, "id_hash" text not null, "grant_id" text null, "payload" bytea not null,
      "scopes" text[] null, "audience" text null, "created_at" timestamptz(3) not null default now(),
      "consumed_at" timestamptz(3) null, "expires_at" timestamptz(3) not null, primary key ("type", "id_hash"))`);
    this.addSql(`create index if not exists "oauth_record_grant_index" on "oauth_record" ("grant_id")`);
    this.addSql(`create index if not exists "oauth_record_expiry_index" on "oauth_record" ("expires_at")`);
  }
}
