import { Migration } from '@mikro-orm/migrations';

/** Sessions that were started with an access token, and the link that signs in once after the first start. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql(`alter table "session" add column if not exists "api_token_id" text null`);
    this.addSql(`create index if not exists "session_token_index" on "session" ("api_token_id")`);
    this.addSql(`create table if not exists "sign_in_link" (
      "secret_hash" bytea not null,
      "user_id" text not null,
      "expires_at" timestamptz(3) not null, primary key ("secret_hash"))`);
  }
}
