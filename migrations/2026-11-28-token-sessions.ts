import { Migration } from '@mikro-orm/migrations';

/** Sessions that were started with an access token. */
export class TokenSessions extends Migration {
  override up(): void {
    this.addSql(`alter table "session" add column if not exists "api_token_id" text null`);
    this.addSql(`create index if not exists "session_token_index" on "session" ("api_token_id")`);
  }
}
