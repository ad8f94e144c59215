import { Migration } from '@mikro-orm/migrations';

/** Passkeys of people (WebAuthn), and the challenges of the ceremonies that are under way. */
export class Passkeys extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "passkey" (
      "id" text not null,
      "user_id" text not null,
      "label" text not null,
      "credential_id" bytea not null,
      "public_key" bytea not null,
      "counter" bigint not null,
      "transports" text not null,
      "is_synced" boolean not null default false,
      "last_used_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create unique index if not exists "passkey_credential_unique" on "passkey" ("credential_id")`);
    this.addSql(`create index if not exists "passkey_user_index" on "passkey" ("user_id", "created_at", "id")`);
    this.addSql(`create table if not exists "passkey_challenge" (
      "challenge_hash" bytea not null,
      "browser_hash" bytea not null,
      "user_id" text null,
      "expires_at" timestamptz(3) not null, primary key ("challenge_hash"))`);
    this.addSql(`create index if not exists "passkey_challenge_expiry_index" on "passkey_challenge" ("expires_at")`);
  }
}
