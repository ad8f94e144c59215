import { Migration } from '@mikro-orm/migrations';

/** Sign-ins by email that a browser has asked for. */
export class SignInRequests extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "sign_in_request" (
      "id" text not null,
      "email" text not null,
      "network" text not null,
      "browser_hash" bytea not null,
      "return_to" text not null,
      "user_id" text null,
      "code_signature" text null,
      "link_hash" bytea null,
      "code_tries" int not null default 0,
      "link_tries" int not null default 0,
      "sent_at" timestamptz(3) null,
      "used_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(
      `create index if not exists "sign_in_request_browser_index" on "sign_in_request" ("browser_hash", "created_at")`,
    );
    this.addSql(
      `create index if not exists "sign_in_request_network_index" on "sign_in_request" ("network", "created_at")`,
    );
    this.addSql(`create index if not exists "sign_in_request_user_index" on "sign_in_request" ("user_id", "sent_at")`);
    this.addSql(`create index if not exists "sign_in_request_age_index" on "sign_in_request" ("created_at")`);
  }
}
